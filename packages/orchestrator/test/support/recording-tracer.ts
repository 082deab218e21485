import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  ROOT_CONTEXT,
  trace,
  type Context,
  type ContextManager,
  type Span,
  type SpanOptions,
  type TracerProvider,
} from '@opentelemetry/api';
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

/** A context manager such as an OpenTelemetry SDK installs in an application. */
class StorageContextManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active = () => this.#storage.getStore() ?? ROOT_CONTEXT;
  with: ContextManager['with'] = (active, work, thisArg, ...args) =>
    this.#storage.run(active, () => work.call(thisArg as ThisParameterType<typeof work>, ...args));
  bind: ContextManager['bind'] = (_active, target) => target;
  enable = () => this;
  disable = () => this;
}

/** Records the spans of the running test. */
export function recordSpans(): RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const startSpan = (name: string, options: SpanOptions = {}, parentContext = context.active()): Span => {
    const parent = trace.getSpanContext(parentContext);
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
    // The code under test uses nothing else of a span.
    return span as unknown as Span;
  };
  const provider: TracerProvider = {
    getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }),
  };
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new StorageContextManager());
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  return spans;
}
