import { type Context, ROOT_CONTEXT, trace } from '@opentelemetry/api';

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A valid W3C `traceparent` header, otherwise undefined. */
export function readTraceParent(header: unknown): string | undefined {
  return typeof header === 'string' && pattern.test(header) ? header : undefined;
}

/** The OpenTelemetry context whose spans continue the caller's trace. */
export function contextOf(traceParent: string | undefined): Context {
  const [, traceId, spanId, flags] = pattern.exec(traceParent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
