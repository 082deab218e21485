import { trace, type Context, type Span, type SpanOptions, type TracerProvider } from '@opentelemetry/api';
import { onTestFinished } from 'vitest';

export interface RecordedSpan {
  name: string;
  parent: { traceId: string; spanId: string } | undefined;
  spanId: string;
  traceId: string;
  attributes: Record<string, unknown>;
  failed: boolean;
  ended: boolean;
}

/** Records the spans of the running test. */
export function recordSpans(): RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const startSpan = (name: string, options: SpanOptions = {}, parentContext?: Context): Span => {
    const parent = parentContext && trace.getSpanContext(parentContext);
    const recorded: RecordedSpan = {
      name,
      parent: parent && { traceId: parent.traceId, spanId: parent.spanId },
      spanId: String(spans.length + 1).padStart(16, '0'),
      traceId: parent?.traceId ?? 'f'.repeat(32),
      attributes: { ...options.attributes },
      failed: false,
      ended: false,
    };
    spans.push(recorded);
    const span = {
      spanContext: () => ({ traceId: recorded.traceId, spanId: recorded.spanId, traceFlags: 1 }),
      setAttribute(key: string, value: unknown) {
        recorded.attributes[key] = value;
        return span;
      },
      setStatus() {
        recorded.failed = true;
        return span;
      },
      end() {
        recorded.ended = true;
      },
    };
    // The rest of a span is not used by what is tested.
    return span as unknown as Span;
  };
  const provider: TracerProvider = {
    getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }),
  };
  trace.setGlobalTracerProvider(provider);
  onTestFinished(() => trace.disable());
  return spans;
}
