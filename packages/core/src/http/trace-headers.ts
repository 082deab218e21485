import { context, isSpanContextValid, trace } from '@opentelemetry/api';

/**
 * Returns the W3C `traceparent` of the caller's span, so that the orchestrator's spans join the caller's trace. Empty
 * without OpenTelemetry. Nothing else of the caller's context is sent: baggage may contain anything.
 */
export function traceHeaders(): Record<string, string> {
  const span = trace.getSpanContext(context.active());
  if (span === undefined || !isSpanContextValid(span)) return {};
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  return { traceparent: `00-${span.traceId}-${span.spanId}-${flags}` };
}
