import { context, isSpanContextValid, trace } from '@opentelemetry/api';

/**
 * The W3C `traceparent` of the span the caller is in, so that an orchestrator's spans join the caller's trace. Empty
 * where no OpenTelemetry is set up. Nothing else of the caller's context leaves: baggage may hold anything.
 */
export function traceHeaders(): Record<string, string> {
  const span = trace.getSpanContext(context.active());
  if (span === undefined || !isSpanContextValid(span)) return {};
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  return { traceparent: `00-${span.traceId}-${span.spanId}-${flags}` };
}
