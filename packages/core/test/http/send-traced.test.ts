import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type AddressInfo } from 'node:net';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
  type ContextManager,
} from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ApiKey } from '../../src/config/api-key.js';
import { HttpClient } from '../../src/http/http-client.js';
import { Agent, Client } from '../../src/index.js';
import { startServer } from '../http-server.js';
import { quickRuntime } from '../quick-runtime.js';

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

/** Starts a run within `around`, and returns the headers of its start request. */
async function startRun(around: (start: () => Promise<unknown>) => Promise<unknown>) {
  await using server = await startServer((_request, response) => response.writeHead(401).end());
  await using client = new Client({ apiKey: 'key', baseUrl: server.url });
  await using agent = new Agent({ name: 'a', description: 'a', client });
  await around(() => agent.invoke('hello').catch(() => undefined));
  return server.requests[0]?.headers;
}

describe('the trace of the caller', () => {
  beforeAll(() => void context.setGlobalContextManager(new StorageContextManager()));
  afterAll(() => context.disable());

  it('is absent outside a span and in an invalid span', async () => {
    const outside = await startRun((start) => start());
    expect(outside).not.toHaveProperty('traceparent');
    const invalid = trace.wrapSpanContext({ traceId: '0'.repeat(32), spanId, traceFlags: 1 });
    const inInvalid = await startRun((start) => context.with(trace.setSpan(ROOT_CONTEXT, invalid), start));
    expect(inInvalid).not.toHaveProperty('traceparent');
  });

  it('is sent with the start request of a run, without the baggage', async () => {
    const headers = await startRun(inSpan);
    expect(headers?.['traceparent']).toBe(`00-${traceId}-${spanId}-01`);
    expect(JSON.stringify(headers)).not.toContain('canary-baggage');
  });

  it('is sent once if an instrumentation of undici adds its own', async () => {
    const added = `00-${traceId}-00f067aa0ba902b7-01`;
    const instrument = (message: unknown) => {
      const { request } = message as { request: { addHeader: (name: string, value: string) => void } };
      request.addHeader('traceparent', added);
    };
    subscribe('undici:request:create', instrument);
    try {
      expect((await startRun(inSpan))?.['traceparent']).toBe(added);
    } finally {
      unsubscribe('undici:request:create', instrument);
    }
  });

  it('is that of each request which waits until the protocol of an HTTPS server is known', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const http = new HttpClient({
      baseUrl: `https://127.0.0.1:${port}`,
      apiKey: new ApiKey('key', 'the test'),
      runtime: quickRuntime(),
    });
    const created: { readonly headers: readonly string[] }[] = [];
    const active: (string | undefined)[] = [];
    const observe = (message: unknown) => {
      created.push((message as { request: (typeof created)[number] }).request);
      active.push(trace.getSpanContext(context.active())?.traceId);
    };
    subscribe('undici:request:create', observe);
    const traceIds = ['1', '2', '3'].map((digit) => digit.repeat(32));
    await Promise.allSettled(
      traceIds.map((id) =>
        context.with(
          trace.setSpan(ROOT_CONTEXT, trace.wrapSpanContext({ traceId: id, spanId, traceFlags: 1 })),
          () => http.request({ method: 'GET', target: '/x', schema: z.unknown() }),
        ),
      ),
    );
    unsubscribe('undici:request:create', observe);
    await http.close();
    server.close();
    const sent = created.map(({ headers }) => headers[headers.indexOf('traceparent') + 1]);
    expect(sent).toEqual(traceIds.map((id) => `00-${id}-${spanId}-01`));
    expect(active, 'where an instrumentation reads it').toEqual(traceIds);
  });
});
