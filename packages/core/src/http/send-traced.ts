import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { context, isSpanContextValid, trace } from '@opentelemetry/api';

const CHANNEL = 'undici:request:create';

/** What undici publishes about a request before it is sent. Names and values of headers alternate. */
interface CreatedRequest {
  readonly request: {
    readonly headers: readonly unknown[];
    addHeader(name: string, value: string): unknown;
  };
}

/**
 * Sends a request of undici with the W3C `traceparent` of the caller's span, so that the orchestrator's spans join the
 * caller's trace. Nothing else of the caller's context is sent: baggage may contain anything. An instrumentation of
 * undici adds a `traceparent` of its own to every request; then that is the only one, because two are read as an
 * invalid one. `send` must pass the request to a connection of undici, which creates it before it returns.
 */
export function sendTraced<Result>(send: () => Result): Result {
  const traceParent = readTraceParent();
  if (traceParent === undefined) return send();
  // The last to subscribe is the last to be called, so it sees what the others have added.
  const complete = (message: unknown) => {
    const { request } = message as CreatedRequest;
    const isTraced = request.headers.some(
      (name, index) => index % 2 === 0 && String(name).toLowerCase() === 'traceparent',
    );
    if (!isTraced) request.addHeader('traceparent', traceParent);
  };
  subscribe(CHANNEL, complete);
  try {
    return send();
  } finally {
    unsubscribe(CHANNEL, complete);
  }
}

/** The `traceparent` of the caller's span; undefined without OpenTelemetry. */
function readTraceParent(): string | undefined {
  const span = trace.getSpanContext(context.active());
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  return `00-${span.traceId}-${span.spanId}-${flags}`;
}
