import { connect as connectHttp2, constants } from 'node:http2';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { BridgeRegistry, EventBridge, MemoryEventLog } from '@svc/events';
import Fastify, { type FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mountEvents } from '../src/index.js';
import type { MountOptions } from '../src/mount-options.js';
import { listen, open, turn } from './app.js';

/** A factory that waits for the test to pass a bridge to `make`. */
function slowFactory() {
  const asked = Promise.withResolvers<void>();
  const made = Promise.withResolvers<EventBridge>();
  const factory = (): Promise<EventBridge> => {
    asked.resolve();
    return made.promise;
  };
  return { factory, asked: asked.promise, make: (bridge: EventBridge) => made.resolve(bridge) };
}

async function listenOn({ http2, ...options }: MountOptions & { http2: boolean }) {
  const registry = new BridgeRegistry();
  // Apps with HTTP/1.1 and HTTP/2 have different types, but are mounted alike.
  const app = http2 ? Fastify({ http2 }) : Fastify();
  let left = 0;
  app.server.on('request', (_: unknown, response: { on(event: 'close', listener: () => void): void }) =>
    response.on('close', () => (left += 1)),
  );
  mountEvents(app, { registry, authorize: () => true, ...options });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    await app.close();
    await registry.close();
  });
  return { app, registry, origin, left: () => left };
}

describe('while a stream is being opened', () => {
  it.each([false, true])('a client that leaves gets no reader and no place (HTTP/2: %s)', async (http2) => {
    const { factory, asked, make } = slowFactory();
    const limits = { readersPerSession: 1 };
    const { app, origin, left, registry } = await listenOn({ http2, factory, limits });
    if (http2) {
      const session = connectHttp2(origin);
      onTestFinished(() => session.destroy());
      const stream = session.request({ ':path': '/svc/events/s1' });
      await asked;
      stream.close(constants.NGHTTP2_CANCEL);
    } else {
      const request = httpRequest(`${origin}/svc/events/s1`, { agent: false }).on('error', () => undefined);
      request.end();
      await asked;
      request.destroy();
    }
    while (left() === 0) await turn();
    const bridge = new EventBridge('s1');
    const opened = vi.spyOn(bridge, 'openReader');
    make(bridge);
    await expect.poll(() => registry.get('s1')).toBe(bridge);
    await turn();
    expect(opened).not.toHaveBeenCalled();
    await bridge.emitFinal('done');
    expect((await app.inject('/svc/events/s1')).statusCode).toBe(200);
  });

  it('a closing app refuses it, and can close', async () => {
    const { factory, asked, make } = slowFactory();
    const { app, origin } = await listenOn({ http2: false, factory });
    const answer = open(`${origin}/svc/events/s1`);
    await asked;
    const closed = app.close();
    while (app.server.listening) await turn();
    const bridge = new EventBridge('s1');
    make(bridge);
    const { status, headers, text, ended } = await answer;
    await ended;
    expect([status, headers['retry-after'], JSON.parse(text())]).toMatchObject([
      503,
      '1',
      { code: 'DRAINING' },
    ]);
    await closed;
    expect(bridge.subscriberCount).toBe(0);
  });

  it('a closing app ends the keep-alive connection of a client that it refuses', async () => {
    const { factory, asked, make } = slowFactory();
    const { app } = await listenOn({ http2: false, factory });
    // Otherwise an idle connection would time out by itself.
    Object.assign(app.server, { keepAliveTimeout: 0 });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('GET /svc/events/s1 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    await asked;
    const closed = app.close();
    while (app.server.listening) await turn();
    make(new EventBridge('s1'));
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 503 .*DRAINING/s);
    await closed;
  });

  it.each(['inspect', 'readAfter'] as const)(
    'a closing app refuses it without waiting for the log (%s)',
    async (slow) => {
      const log = new MemoryEventLog();
      const bridge = new EventBridge('s1', { log });
      await bridge.emit('held', {});
      const asked = Promise.withResolvers<void>();
      const silence = Promise.withResolvers<void>();
      const answer = log[slow].bind(log) as (...given: unknown[]) => Promise<never>;
      log[slow] = async (sessionId: string, from?: unknown) => {
        asked.resolve();
        await silence.promise;
        return answer(sessionId, from);
      };
      const { app, origin, registry } = await listenOn({ http2: false });
      registry.getOrCreate('s1', () => bridge);
      const response = open(`${origin}/svc/events/s1`);
      await asked.promise;
      await app.close();
      const { status, headers } = await response;
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      silence.resolve();
      await turn();
      expect(bridge.subscriberCount).toBe(0);
    },
  );

  it('a closing app refuses it without asking a log that never responds', async () => {
    const { factory, asked, make } = slowFactory();
    const { app, origin } = await listenOn({ http2: false, factory });
    const answer = open(`${origin}/svc/events/s1`);
    await asked;
    const closed = app.close();
    while (app.server.listening) await turn();
    const log = new MemoryEventLog();
    log.inspect = () => new Promise<never>(() => {});
    make(new EventBridge('s1', { log }));
    expect((await answer).status).toBe(503);
    await closed;
  });
});

describe('while authorize runs', () => {
  /** An `authorize` that waits for the test to call `admit`, and a factory that must not be called. */
  function slowAuthorize() {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<boolean>();
    const authorize = (): Promise<boolean> => {
      asked.resolve();
      return answered.promise;
    };
    const factory = vi.fn((sessionId: string) => new EventBridge(sessionId));
    return { authorize, factory, asked: asked.promise, admit: () => answered.resolve(true) };
  }

  it('no bridge is created for a client that disconnects', async () => {
    const { authorize, factory, asked, admit } = slowAuthorize();
    const { origin, left, registry } = await listenOn({ http2: false, authorize, factory });
    const request = httpRequest(`${origin}/svc/events/s1`, { agent: false }).on('error', () => undefined);
    request.end();
    await asked;
    request.destroy();
    while (left() === 0) await turn();
    admit();
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect([factory.mock.calls, registry.get('s1')]).toEqual([[], undefined]);
  });

  it('no bridge is created for a caller of app.inject that aborts', async () => {
    const { authorize, factory, asked, admit } = slowAuthorize();
    const { app } = await listenOn({ http2: false, authorize, factory });
    const leaving = new AbortController();
    const answer = app.inject({ url: '/svc/events/s1', signal: leaving.signal });
    await asked;
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    admit();
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(factory).not.toHaveBeenCalled();
  });

  it('a closing app refuses the request, and creates no bridge', async () => {
    const { authorize, factory, asked, admit } = slowAuthorize();
    const { app, origin } = await listenOn({ http2: false, authorize, factory });
    const answer = open(`${origin}/svc/events/s1`);
    await asked;
    const closed = app.close();
    while (app.server.listening) await turn();
    admit();
    expect((await answer).status).toBe(503);
    await closed;
    expect(factory).not.toHaveBeenCalled();
  });

  it('the app’s handlerTimeout answers 503, the app can close, and nothing more is logged', async () => {
    const { authorize, factory, asked, admit } = slowAuthorize();
    const lines: string[] = [];
    const app = Fastify({
      handlerTimeout: 20,
      logger: { level: 'warn', stream: { write: (line) => void lines.push(line) } },
    });
    mountEvents(app, { registry: new BridgeRegistry(), authorize, factory });
    const answer = app.inject('/svc/events/s1');
    await asked;
    const { statusCode } = await answer;
    expect(statusCode).toBe(503);
    await app.close();
    const logged = lines.length;
    admit();
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect([factory.mock.calls, lines.slice(logged)]).toEqual([[], []]);
  });
});

it('the app’s handlerTimeout does not end a stream that has begun', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const app = Fastify({ handlerTimeout: 1_000 });
  const registry = new BridgeRegistry();
  const bridge = registry.getOrCreate('s1');
  mountEvents(app, { registry, authorize: () => true });
  const answer = app.inject('/svc/events/s1');
  while (bridge.subscriberCount === 0) await turn();
  await turn();
  vi.advanceTimersByTime(5_000);
  await bridge.emitFinal('done');
  const { statusCode, payload } = await answer;
  expect([statusCode, payload]).toEqual([200, expect.stringContaining('event: final')]);
  await app.close();
});

describe('while the app’s handlerTimeout answers', () => {
  it.each([
    ['authorize', 'admits', true],
    ['authorize', 'refuses', false],
    ['factory', 'returns its bridge', true],
    ['log', 'answers', true],
  ] as const)('no other response is sent when %s %s', async (slow, _, allowed) => {
    const answered = Promise.withResolvers<boolean>();
    const sending = Promise.withResolvers<() => void>();
    const uncaught = vi.fn();
    process.on('uncaughtException', uncaught);
    onTestFinished(() => void process.off('uncaughtException', uncaught));
    const app = Fastify({ handlerTimeout: 20 });
    // For example, a hook that saves a session before the response is sent.
    app.addHook('onSend', (_request, _reply, payload, done) => sending.resolve(() => done(null, payload)));
    const registry = new BridgeRegistry();
    const log = new MemoryEventLog();
    if (slow === 'log') vi.spyOn(log, 'inspect').mockReturnValue(answered.promise.then(() => undefined));
    mountEvents(app, {
      registry,
      authorize: async () => slow !== 'authorize' || answered.promise,
      factory: async (sessionId) => {
        if (slow === 'factory') await answered.promise;
        return new EventBridge(sessionId, { log });
      },
    });
    const answer = app.inject('/svc/events/s1');
    const send = await sending.promise;
    answered.resolve(allowed);
    for (let turns = 0; turns < 10; turns += 1) await turn();
    send();
    expect((await answer).statusCode).toBe(503);
    expect([uncaught.mock.calls, registry.get('s1')?.subscriberCount ?? 0]).toEqual([[], 0]);
    await app.close();
  });
});

describe('what `request.signal` stopped', () => {
  /** An app whose `authorize` or `factory` fails once the signal says that nobody waits for its answer. */
  async function listenUntilStopped(slow: 'authorize' | 'factory', options: { handlerTimeout?: number }) {
    const asked = Promise.withResolvers<void>();
    const lines: { level: number; msg: string; err: { type: string } }[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line));
    const app = Fastify({ ...options, logger: { level: 'info', stream: { write } } });
    const stopped = (name: string, { signal }: FastifyRequest) =>
      new Promise<never>((_, reject) => {
        if (name !== slow) return;
        signal.addEventListener('abort', () => reject(signal.reason));
        asked.resolve();
      });
    mountEvents(app, {
      registry: new BridgeRegistry(),
      authorize: (request) => slow !== 'authorize' || stopped('authorize', request),
      factory: (_, request) => stopped('factory', request),
    });
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => app.close());
    const logged = async (message: string) => {
      await vi.waitUntil(() => lines.some(({ msg }) => msg === message));
      return lines.filter(({ msg }) => msg === message).map(({ level, err }) => [level, err.type]);
    };
    return { url: `${origin}/svc/events/s1`, asked: asked.promise, logged };
  }

  const info = 30;

  it.each([
    ['authorize', 'authorize failed'],
    ['factory', 'failed to open the event stream'],
  ] as const)('is no error of the app when a client leaves during %s', async (slow, message) => {
    const { url, asked, logged } = await listenUntilStopped(slow, {});
    const request = httpRequest(url, { agent: false }).on('error', () => undefined);
    request.end();
    await asked;
    request.destroy();
    expect(await logged(message)).toEqual([[info, 'DOMException']]);
  });

  it('is no second error of the app at its handlerTimeout', async () => {
    const { url, logged } = await listenUntilStopped('authorize', { handlerTimeout: 20 });
    expect((await open(url)).status).toBe(503);
    expect(await logged('authorize failed')).toEqual([[info, 'FastifyError']]);
  });
});

describe('a connection with a maximum age', () => {
  it('is followed by one that is authorized again before its first byte', async () => {
    const answers = [true, false];
    await using server = await listen({ maxConnectionAgeMs: 20, authorize: () => answers.shift() === true });
    const bridge = server.bridge();
    await bridge.emitAssistantChunk({ assistantId: 'a', text: 'secret' });
    const first = await open(server.url());
    await first.ended;
    expect([first.status, first.text().includes('secret')]).toEqual([200, true]);
    const second = await open(server.url());
    await second.ended;
    expect([second.status, JSON.parse(second.text())]).toMatchObject([403, { code: 'FORBIDDEN' }]);
  });

  it.each(['its client disconnects', 'its turn ends'])('leaves no timer when %s first', async (end) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await using server = await listen({ maxConnectionAgeMs: 60_000 });
    const bridge = server.bridge();
    const before = vi.getTimerCount();
    const { until, close, ended } = await open(server.url());
    await until((text) => text.includes(': live'));
    expect(vi.getTimerCount()).toBe(before + 1);
    if (end === 'its turn ends') await bridge.emitFinal('done');
    else close();
    await ended;
    while (bridge.subscriberCount > 0 || vi.getTimerCount() > before) await turn();
  });
});
