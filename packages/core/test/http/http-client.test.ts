import { getEventListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { type Debugger, type Runtime, Session } from 'node:inspector';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ApiKey } from '../../src/config/api-key.js';
import { raceAbort } from '../../src/deadline.js';
import { HttpClient, type JsonRequest } from '../../src/http/http-client.js';
import { IDEMPOTENT } from '../../src/http/retry.js';
import { startServer } from '../http-server.js';
import { quickRuntime } from '../quick-runtime.js';

const KEY = 'key-canary-2';

async function setUp(listener: RequestListener, requestTimeoutMs?: number) {
  const server = await startServer(listener);
  const runtime = quickRuntime();
  const http = new HttpClient({
    baseUrl: server.url,
    apiKey: new ApiKey(KEY, 'the test'),
    runtime,
    requestTimeoutMs,
  });
  return {
    server,
    runtime,
    http,
    get: (options: Partial<JsonRequest<z.ZodType>> = {}) =>
      http.request({ method: 'GET', target: '/x', schema: z.unknown(), ...options }),
    async [Symbol.asyncDispose]() {
      await http.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Collects the local variables of whatever throws, and the values in them, as Sentry does to report them. */
function watchVariables() {
  const found: Runtime.PropertyDescriptor[] = [];
  const session = new Session();
  const read = (objectId: string, each: (property: Runtime.PropertyDescriptor) => void) =>
    session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_error, { result }) =>
      result.forEach(each),
    );
  session.connect();
  session.on('Debugger.paused', ({ params }: { params: Debugger.PausedEventDataType }) => {
    for (const { scopeChain } of params.callFrames)
      for (const { type, object } of scopeChain)
        if (type === 'local' && object.objectId !== undefined)
          read(object.objectId, (variable) => {
            found.push(variable);
            const objectId = variable.value?.objectId;
            if (objectId !== undefined) read(objectId, (property) => found.push(property));
          });
  });
  session.post('Debugger.enable');
  session.post('Debugger.setPauseOnExceptions', { state: 'all' });
  return { found, [Symbol.dispose]: () => session.disconnect() };
}

describe('the API key', () => {
  it('is in no variable that monitoring reports when a request is refused', async () => {
    await using setup = await setUp((_request, response) => response.writeHead(409).end('{}'));
    using variables = watchVariables();
    await expect(setup.get({ body: {} })).rejects.toMatchObject({ statusCode: 409 });
    const found = JSON.stringify(variables.found);
    expect(found).toContain('"Conflict"');
    expect(found).not.toContain(KEY);
  });

  it('is sent as a bearer token', async () => {
    await using setup = await setUp((_request, response) => response.end('{}'));
    await setup.get();
    expect(setup.server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('does not follow a redirect', async () => {
    await using other = await startServer((_request, response) => response.end('{}'));
    await using setup = await setUp((_request, response) => {
      response.writeHead(307, { location: `${other.url}/stolen` }).end();
    });
    await expect(setup.get()).rejects.toMatchObject({ statusCode: 307, code: 'HTTP_307' });
    expect(other.requests).toEqual([]);
  });

  it('is not sent to another origin', async () => {
    await using other = await startServer((_request, response) => response.end('{}'));
    await using setup = await setUp((_request, response) => response.end('{}'));
    await expect(setup.get({ target: `${other.url}/x` })).rejects.toMatchObject({
      code: 'HTTP_FOREIGN_ORIGIN',
      message: expect.stringContaining('start it with your baseUrl as its publicUrl'),
    });
    await expect(
      setup.http.openStream(`${other.url}/x`, {
        headers: {},
        idleTimeoutMs: 1000,
        signal: new AbortController().signal,
      }),
    ).rejects.toMatchObject({ code: 'HTTP_FOREIGN_ORIGIN' });
    expect([...other.requests, ...setup.server.requests]).toEqual([]);
  });

  it('is not in the error if what answers is no HTTP and repeats the request', async () => {
    await using setup = await setUp(({ headers }, { socket }) => {
      socket?.end(`authorization: ${headers.authorization}\r\n\r\n`);
    });
    const error: unknown = await setup.get().catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'HTTP_CONNECTION_FAILED',
      details: { reason: 'HTTPParserError' },
    });
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(KEY);
  });
});

describe('a request', () => {
  it.each([401, 403, 400, 500])('refused with %i is sent only once', async (status) => {
    await using setup = await setUp((_request, response) => response.writeHead(status).end());
    await expect(setup.get()).rejects.toMatchObject({ statusCode: status });
    expect(setup.server.requests).toHaveLength(1);
  });

  it('waits as long as a 429 asks, then is sent again', async () => {
    let count = 0;
    await using setup = await setUp((_request, response) => {
      count += 1;
      if (count === 1) response.writeHead(429, { 'retry-after': '2' }).end();
      else response.end('{"ok":true}');
    });
    await expect(setup.get()).resolves.toEqual({ ok: true });
    expect(setup.runtime.sleeps).toEqual([2000]);
  });

  it('is retried after errors and broken connections if it is idempotent', async () => {
    let count = 0;
    await using setup = await setUp((_request, response) => {
      count += 1;
      if (count === 1) response.writeHead(500).end();
      else if (count === 2) response.destroy();
      else response.end('{"ok":true}');
    });
    await expect(setup.get({ retry: IDEMPOTENT })).resolves.toEqual({ ok: true });
    expect(setup.server.requests).toHaveLength(3);
  });

  it('is retried after a timeout if it is idempotent', async () => {
    let count = 0;
    await using setup = await setUp((_request, response) => {
      count += 1;
      if (count > 1) response.end('{"ok":true}');
    }, 200);
    await expect(setup.get({ retry: IDEMPOTENT })).resolves.toEqual({ ok: true });
  });

  it('is sent below the path of the base URL', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    const apiKey = new ApiKey(KEY, 'the test');
    const http = new HttpClient({ baseUrl: `${server.url}/svc`, apiKey, runtime: quickRuntime() });
    await http.request({ method: 'GET', target: '/x', schema: z.unknown() });
    expect(server.requests).toMatchObject([{ url: '/svc/x' }]);
    await http.close();
  });

  it('times out if no headers arrive', async () => {
    await using setup = await setUp(() => {}, 30);
    await expect(setup.get()).rejects.toMatchObject({ code: 'HTTP_TIMEOUT' });
  });

  it('times out if the body stalls', async () => {
    await using setup = await setUp((_request, response) => {
      response.writeHead(200);
      response.write('{');
    }, 30);
    await expect(setup.get()).rejects.toMatchObject({ code: 'HTTP_TIMEOUT' });
  });

  it('rejects when its signal aborts', async () => {
    const controller = new AbortController();
    await using setup = await setUp(() => controller.abort(new DOMException('enough', 'AbortError')));
    await expect(setup.get({ signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('rejects when its signal aborts during the wait before a retry', async () => {
    await using server = await startServer((_request, response) => response.writeHead(500).end());
    const controller = new AbortController();
    const sleep = async (_durationMs: number, signal = new AbortController().signal) => {
      const waiting = raceAbort(new Promise<void>(() => {}), signal);
      controller.abort(new DOMException('enough', 'AbortError'));
      return waiting;
    };
    const runtime = { ...quickRuntime(), sleep };
    const http = new HttpClient({ baseUrl: server.url, apiKey: new ApiKey(KEY, 'the test'), runtime });
    const { signal } = controller;
    const sent = http.request({
      method: 'GET',
      target: '/x',
      schema: z.unknown(),
      retry: IDEMPOTENT,
      signal,
    });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError', message: 'enough' });
    await http.close();
  });

  it('leaves no listener on its signal', async () => {
    const { signal } = new AbortController();
    await using setup = await setUp((_request, response) => response.end('{}'));
    await setup.get({ signal, lingerMs: 60_000 });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('with lingerMs is still answered after its signal aborts, but not retried', async () => {
    for (const [status, expected] of [
      [200, { status: 'fulfilled', value: { ok: true } }],
      [503, { status: 'rejected', reason: { name: 'AbortError' } }],
    ] as const) {
      const controller = new AbortController();
      await using setup = await setUp((_request, response) => {
        controller.abort(new DOMException('enough', 'AbortError'));
        setImmediate(() => response.writeHead(status, { 'retry-after': '0' }).end('{"ok":true}'));
      });
      const sent = setup.get({ signal: controller.signal, lingerMs: 60_000, retry: IDEMPOTENT });
      expect((await Promise.allSettled([sent]))[0]).toMatchObject(expected);
      expect(setup.server.requests).toHaveLength(1);
    }
  });

  it('with lingerMs is not sent if its signal is already aborted', async () => {
    const controller = new AbortController();
    await using setup = await setUp((_request, response) => response.end('{}'));
    controller.abort(new DOMException('enough', 'AbortError'));
    const sent = setup.get({ signal: controller.signal, lingerMs: 20 });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(setup.server.requests).toEqual([]);
  });

  it.each([
    ['invalid JSON', 'canary'],
    ['another shape', '{"a":["canary"],"b":"canary"}'],
  ])(
    'answered with %s fails with HTTP_INVALID_RESPONSE, without repeating the content',
    async (_name, body) => {
      await using setup = await setUp((_request, response) => response.end(body));
      const error = await setup
        .get({ schema: z.object({ a: z.string() }) })
        .catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: 'HTTP_INVALID_RESPONSE',
        message: expect.stringContaining('Check baseUrl'),
      });
      expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/canary/);
    },
  );

  it('fails if its response is too large', async () => {
    await using setup = await setUp((_request, response) => response.end('x'.repeat(33 * 1024 * 1024)));
    await expect(setup.get()).rejects.toMatchObject({
      code: 'HTTP_INVALID_RESPONSE',
      message: expect.stringContaining('is larger than'),
    });
  });

  it('fails with the advice to check baseUrl if nothing listens at the address', async () => {
    await using setup = await setUp((_request, response) => response.end());
    await setup.server[Symbol.asyncDispose]();
    await expect(setup.get()).rejects.toMatchObject({
      code: 'HTTP_CONNECTION_REFUSED',
      message: expect.stringContaining('Check baseUrl'),
    });
  });
});

describe('a stream', () => {
  const open = async (listener: RequestListener, requestTimeoutMs?: number) => {
    await using setup = await setUp(listener, requestTimeoutMs);
    await setup.http.openStream('/x', {
      headers: {},
      idleTimeoutMs: 60_000,
      signal: new AbortController().signal,
    });
  };

  it('answered with 204 is refused', async () => {
    const opened = open((_request, response) => response.writeHead(204).end());
    await expect(opened).rejects.toMatchObject({ statusCode: 204 });
  });

  it('fails with a transient error if no headers arrive', async () => {
    const opened = open(() => {}, 50);
    await expect(opened).rejects.toMatchObject({ code: 'HTTP_CONNECTION_FAILED', isTransient: true });
  });

  it('fails with a transient error if the body of a refusal does not end, and is closed', async () => {
    const closed = Promise.withResolvers<void>();
    const opened = open((_request, response) => {
      response.writeHead(503, { 'content-type': 'application/json' });
      const dripping = setInterval(() => response.write(' '), 10);
      response.once('close', () => {
        clearInterval(dripping);
        closed.resolve();
      });
    }, 100);
    await expect(opened).rejects.toMatchObject({ code: 'HTTP_TIMEOUT', isTransient: true });
    await closed.promise;
  });
});
