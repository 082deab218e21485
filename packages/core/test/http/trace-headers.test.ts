import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
  type ContextManager,
} from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent, Client } from '../../src/index.js';
import { traceHeaders } from '../../src/http/trace-headers.js';
import { startServer } from '../http-server.js';

/** The context manager that an OpenTelemetry SDK installs in an application. */
class StorageContextManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active = () => this.#storage.getStore() ?? ROOT_CONTEXT;
  with: ContextManager['with'] = (active, work, thisArg, ...args) =>
    this.#storage.run(active, () => work.call(thisArg as ThisParameterType<typeof work>, ...args));
  bind: ContextManager['bind'] = (_active, target) => target;
  enable = () => this;
  disable = () => this;
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const inSpan = (work: () => Promise<unknown>) => {
  const span = trace.wrapSpanContext({ traceId, spanId, traceFlags: 1 });
  const baggage = propagation.createBaggage({ secret: { value: 'canary-baggage' } });
  return context.with(propagation.setBaggage(trace.setSpan(ROOT_CONTEXT, span), baggage), work);
};

describe('the trace of the caller', () => {
  beforeAll(() => void context.setGlobalContextManager(new StorageContextManager()));
  afterAll(() => context.disable());

  it('is absent outside a span and in an invalid span', async () => {
    expect(traceHeaders()).toEqual({});
    const invalid = trace.wrapSpanContext({ traceId: '0'.repeat(32), spanId, traceFlags: 1 });
    expect(context.with(trace.setSpan(ROOT_CONTEXT, invalid), traceHeaders)).toEqual({});
  });

  it('is sent with the start request of a run, without the baggage', async () => {
    await using server = await startServer((_request, response) => response.writeHead(401).end());
    const client = new Client({ apiKey: 'key', baseUrl: server.url });
    const agent = new Agent({ name: 'a', description: 'a', client });
    await inSpan(() => agent.invoke('hello').catch(() => undefined));
    expect(server.requests[0]?.headers['traceparent']).toBe(`00-${traceId}-${spanId}-01`);
    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('canary-baggage');
    await agent.close();
    await client.close();
  });
});
