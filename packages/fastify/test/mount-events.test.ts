import type { AddressInfo } from 'node:net';
import cors from '@fastify/cors';
import { type Audience, BridgeRegistry, EventBridge } from '@svc/events';
import Fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { eventsPlugin, getEventBridge, mountEvents, removeEventBridge } from '../src/index.js';
import { eventsIn, listen, open } from './app.js';

const isLive = (text: string) => text.includes(': live\n\n');
const chunk = (text: string) => ({ assistantId: 'a', text });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An error as authorize may throw it. */
function failure(statusCode?: number): Error {
  return Object.assign(new Error('private: db-password'), statusCode === undefined ? {} : { statusCode });
}

describe('the stream', () => {
  it('has its headers and a first byte at once, and nothing between server and reader may change or keep it', async () => {
    await using server = await listen();
    server.bridge();
    const { status, headers, until, close } = await open(server.url(), { 'accept-encoding': 'gzip, br' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(await until(isLive)).toBe(': live\n\n');
    close();
  });

  it('replays what is held between two comments, then goes on live, and ends with the turn', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    await bridge.emitAssistantChunk(chunk('one'));
    const { until, text, ended } = await open(server.url());
    await until(isLive);
    await bridge.emitAssistantChunk(chunk('two'));
    await bridge.emitFinal('done');
    await ended;
    expect(text()).toMatch(/^: replay\n\nid: .*"one".*: live\n\n.*"two".*event: final\n.*\n\n$/s);
    expect(eventsIn(text()).map(([, event]) => event)).toEqual([
      'assistant_chunk',
      'assistant_chunk',
      'final',
    ]);
  });

  it('gives every reader every event once, whenever it came and wherever it left off', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    const readers = [await open(server.url())];
    for (let index = 0; index < 30; index += 1) {
      await bridge.emitAssistantChunk(chunk(`${index}`));
      if (index % 7 === 0) readers.push(await open(server.url()));
    }
    const [[fifth = ''] = []] = eventsIn(await (await open(server.url())).until(isLive)).slice(4);
    const header = await open(server.url(), { 'last-event-id': fifth });
    const query = await open(`${server.url()}?last_event_id=${fifth}`);
    await bridge.emitFinal('done');
    await Promise.all([...readers, header, query].map(({ ended }) => ended));
    const seqs = (text: string) => eventsIn(text).map(([id]) => Number(id.split('-').at(-1)));
    for (const { text } of readers)
      expect(seqs(text())).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
    for (const { text } of [header, query])
      expect(seqs(text())).toEqual(Array.from({ length: 26 }, (_, index) => index + 6));
  });

  it('writes what one turn of the event loop emitted in one go', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    const { request, until, close } = await open(server.url());
    await until(isLive);
    let segments = 0;
    request.socket?.on('data', () => (segments += 1));
    await Promise.all(Array.from({ length: 16 }, (_, index) => bridge.emitAssistantChunk(chunk(`${index}`))));
    await until((text) => eventsIn(text).length === 16);
    expect(segments).toBe(1);
    close();
  });

  it('tells a reader of a gap, and gives it all that is held', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    await bridge.emitAssistantChunk(chunk('one'));
    const { until, close } = await open(server.url(), { 'last-event-id': 'of another time' });
    const text = await until(isLive);
    expect(eventsIn(text).map(([, event]) => event)).toEqual(['stream_gap', 'assistant_chunk']);
    expect(text).toContain('"reason":"unknown"');
    close();
  });

  it('sends heartbeats', async () => {
    await using server = await listen({ heartbeatIntervalMs: 5 });
    server.bridge();
    const { until, close } = await open(server.url());
    await until((text) => text.split(': keepalive\n\n').length > 3);
    close();
  });

  it('lets go of its reader when the caller leaves', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    const { until, close } = await open(server.url());
    await until(isLive);
    expect(bridge.subscriberCount).toBe(1);
    close();
    while (bridge.subscriberCount > 0) await turn();
  });

  it('ends a connection that is too old, whose reader goes on where it was', async () => {
    const authorize = vi.fn(() => true);
    await using server = await listen({ maxConnectionAgeMs: 20, authorize });
    const bridge = server.bridge();
    await bridge.emitAssistantChunk(chunk('one'));
    const first = await open(server.url());
    await first.ended;
    const [[id = ''] = []] = eventsIn(first.text());
    const second = await open(server.url(), { 'last-event-id': id });
    await bridge.emitAssistantChunk(chunk('two'));
    await second.ended;
    expect(eventsIn(second.text())).toHaveLength(1);
    expect(second.text()).toContain('"two"');
    expect(authorize).toHaveBeenCalledTimes(2);
  });
});

describe('who may read', () => {
  it.each([
    [true, 200],
    [false, 403],
    [undefined, 403],
    [1, 403],
    ['yes', 403],
    [failure(401), 401],
    [failure(403), 403],
    [failure(404), 500],
    [failure(), 500],
    ['a thrown text', 500, true],
  ])(
    'answers authorize %s with %i, before the first byte of the stream',
    async (answer, status, isThrown = false) => {
      const authorize = async () => {
        if (answer instanceof Error || isThrown) throw answer;
        return answer as never;
      };
      await using server = await listen({ authorize });
      const bridge = server.bridge();
      await bridge.emitAssistantChunk(chunk('secret'));
      const reader = await open(server.url());
      expect(reader.status).toBe(status);
      if (status === 200) {
        reader.close();
        return;
      }
      await reader.ended;
      expect(JSON.parse(reader.text())).toEqual({ code: expect.any(String), message: expect.any(String) });
      expect(reader.text()).not.toMatch(/secret|private/);
      expect(reader.headers['cache-control']).toBe('no-store');
    },
  );

  it('asks with the request and the session', async () => {
    const authorize = vi.fn(
      (request: { headers: Record<string, unknown> }, sessionId: string) =>
        sessionId === 'a/b' && request.headers['x-user'] === 'me',
    );
    await using server = await listen({ authorize });
    server.bridge('a/b');
    const { status, close } = await open(server.url('a%2Fb'), { 'x-user': 'me' });
    expect(status).toBe(200);
    close();
  });

  it('warns once at mount when everybody may read', async () => {
    const lines: string[] = [];
    const app = Fastify({
      logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } },
    });
    mountEvents(app, { registry: new BridgeRegistry() });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('authorize');
    await app.close();
  });

  const secret = { args: { private_data_injected: { card: '4111' } } };

  it.each([
    ['frontend_safe', 'internal', false],
    ['internal', 'internal', true],
    ['internal', 'frontend_safe', false],
    [(): Audience => 'internal', 'internal', true],
    [async (): Promise<Audience> => 'frontend_safe', 'internal', false],
  ] as const)(
    'serves the audience %s from a bridge that is %s: shows what is injected %s',
    async (audience, ofBridge, shows) => {
      await using server = await listen({ audience });
      const bridge = server.bridge('s1', { audience: ofBridge });
      await bridge.emitToolEvent({ toolName: 't', toolId: 't1', status: 'executing', ...secret });
      const { until, close } = await open(server.url());
      expect((await until(isLive)).includes('4111')).toBe(shows);
      close();
    },
  );

  it('takes an audience that is none for an error of the server', async () => {
    await using server = await listen({ audience: () => 'everybody' as never });
    server.bridge();
    expect((await open(server.url())).status).toBe(500);
  });
});

describe('what is asked for', () => {
  it.each([
    ['a blank session id', '%20', {}, 400, 'INVALID_SESSION_ID'],
    ['a session id with control characters', 'a%0Ab', {}, 400, 'INVALID_SESSION_ID'],
    ['a cursor that is too long', 's1', { 'last-event-id': 'x'.repeat(257) }, 400, 'INVALID_CURSOR'],
    ['a cursor with control characters', 's1?last_event_id=a%00b', {}, 400, 'INVALID_CURSOR'],
    ['another type', 's1', { accept: 'application/json' }, 406, 'NOT_ACCEPTABLE'],
  ])('refuses %s', async (_, path, headers, status, code) => {
    await using server = await listen();
    const reader = await open(server.url(path), headers);
    await reader.ended;
    expect([reader.status, JSON.parse(reader.text())]).toEqual([
      status,
      { code, message: expect.any(String) },
    ]);
  });

  it('serves a session id of 256 characters when the router of the app lets it pass', async () => {
    const app = Fastify({ routerOptions: { maxParamLength: 1_024 }, forceCloseConnections: true });
    mountEvents(app, { authorize: () => true, registry: new BridgeRegistry() });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const statuses = [256, 257].map(
      async (length) => (await open(`http://127.0.0.1:${port}/svc/events/${'s'.repeat(length)}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 400]);
    await app.close();
  });

  it('has nothing to say to HEAD and POST', async () => {
    await using server = await listen();
    for (const method of ['HEAD', 'POST']) {
      expect((await fetch(server.url(), { method })).status).toBe(404);
    }
  });

  it('answers 204 when the session has ended and all of it was seen, also after it was removed', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    await bridge.emitAssistantChunk(chunk('one'));
    await bridge.close();
    const late = await open(server.url());
    await late.ended;
    expect(eventsIn(late.text()).map(([, event]) => event)).toEqual(['assistant_chunk']);
    const cursor = eventsIn(late.text()).at(-1)?.[0] ?? '';
    expect((await open(server.url(), { 'last-event-id': cursor })).status).toBe(204);
    await server.registry.remove('s1');
    expect((await open(server.url(), { 'last-event-id': cursor })).status).toBe(204);
    expect((await open(server.url())).status).toBe(204);
  });

  it('answers 204 also when the last reader was there until the end, and sees another audience', async () => {
    await using server = await listen();
    const bridge = server.bridge('s1', { audience: 'internal' });
    const one = await open(server.url());
    await one.until(isLive);
    await bridge.emitAssistantChunk(chunk('one'));
    await one.until((text) => eventsIn(text).length === 1);
    const [[cursor = ''] = []] = eventsIn(one.text());
    const other = await open(server.url());
    await bridge.close();
    await one.ended;
    for (const delay of [0, 1]) {
      if (delay === 1) await other.ended;
      expect((await open(server.url(), { 'last-event-id': cursor })).status).toBe(204);
    }
  });

  it('lets a reader that has seen the end of a turn wait for the next one', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    await bridge.emitFinal('one');
    const first = await open(server.url());
    await first.ended;
    const [[cursor = ''] = []] = eventsIn(first.text());
    const second = await open(server.url(), { 'last-event-id': cursor });
    expect(await second.until(isLive)).toBe(': live\n\n');
    await bridge.reopen();
    await bridge.emitFinal('two');
    await second.ended;
    expect(second.text()).toContain('"two"');
  });
});

describe('a session that has not begun', () => {
  it('waits with headers and heartbeats, makes no bridge, and attaches when there is one', async () => {
    await using server = await listen({ heartbeatIntervalMs: 5 });
    const { status, until, text, ended } = await open(server.url());
    expect(status).toBe(200);
    await until((sofar) => sofar.startsWith(': live\n\n') && sofar.includes(': keepalive'));
    expect(server.registry.size).toBe(0);
    await server.bridge().emitFinal('done');
    await ended;
    expect(eventsIn(text()).map(([, event]) => event)).toEqual(['final']);
  });

  it('forgets a reader that leaves', async () => {
    await using server = await listen({ limits: { waitingReaders: 1 } });
    const first = await open(server.url('a'));
    await first.until(isLive);
    expect((await open(server.url('b'))).status).toBe(503);
    first.close();
    await vi.waitFor(async () => {
      const next = await open(server.url('b'));
      expect(next.status).toBe(200);
      next.close();
    });
  });

  it('has any number of readers, some of which leave', async () => {
    await using server = await listen();
    const readers = await Promise.all(Array.from({ length: 4 }, () => open(server.url())));
    for (const { until } of readers) await until(isLive);
    const [first, second, ...others] = readers;
    for (const each of [first, second]) {
      each?.close();
      await each?.ended;
    }
    await open(server.url('another')).then(({ close }) => close());
    const bridge = server.bridge();
    while (bridge.subscriberCount < others.length) await turn();
    await bridge.emitFinal('done');
    for (const { ended, text } of others) {
      await ended;
      expect(eventsIn(text()).map(([, event]) => event)).toEqual(['final']);
    }
  });

  it('ends its readers when the registry closes', async () => {
    await using server = await listen();
    const { ended, until } = await open(server.url());
    await until(isLive);
    await server.registry.close();
    await ended;
  });

  it.each([null, undefined])('is 404 when the factory says that there is none (%s)', async (answer) => {
    await using server = await listen({ factory: async () => answer });
    const reader = await open(server.url());
    await reader.ended;
    expect([reader.status, JSON.parse(reader.text())]).toMatchObject([404, { code: 'SESSION_NOT_FOUND' }]);
  });

  it('is made by the factory, once for all who ask at the same time', async () => {
    const made: EventBridge[] = [];
    const factory = vi.fn(async (sessionId: string) => {
      await turn();
      const bridge = new EventBridge(sessionId);
      made.push(bridge);
      return bridge;
    });
    await using server = await listen({ factory });
    const readers = await Promise.all([open(server.url('x')), open(server.url('x'))]);
    expect(server.registry.size).toBe(1);
    expect(server.registry.get('x')?.subscriberCount).toBe(2);
    expect(factory.mock.calls[0]?.[0]).toBe('x');
    for (const { close } of readers) close();
  });

  it('is a server error when the factory fails', async () => {
    await using server = await listen({
      factory: () => {
        throw failure();
      },
    });
    const reader = await open(server.url());
    await reader.ended;
    expect([reader.status, JSON.parse(reader.text())]).toMatchObject([500, { code: 'INTERNAL_ERROR' }]);
  });

  it.each([
    ['another session', () => new EventBridge('another')],
    ['no session', () => ({}) as EventBridge],
    ['a text', () => 'TOO_MANY_SESSIONS' as unknown as EventBridge],
  ])('is a server error when the factory makes the bridge of %s, which is not kept', async (_, factory) => {
    await using server = await listen({ factory });
    const reader = await open(server.url());
    await reader.ended;
    expect([reader.status, JSON.parse(reader.text())]).toMatchObject([500, { code: 'INTERNAL_ERROR' }]);
    expect(server.registry.size).toBe(0);
  });
});

describe('limits', () => {
  it.each([
    ['TOO_MANY_READERS', { readersPerSession: 1 }, 'a'],
    ['TOO_MANY_SESSIONS', { sessions: 1 }, 'b'],
  ])('answers %s with 503 and when to come back, and gives places back', async (code, limits, second) => {
    await using server = await listen({ limits });
    server.bridge('a');
    server.bridge('b');
    const first = await open(server.url('a'));
    const refused = await open(server.url(second));
    await refused.ended;
    expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.text())]).toEqual([
      503,
      '5',
      { code, message: expect.any(String) },
    ]);
    first.close();
    await vi.waitFor(async () => {
      const next = await open(server.url(second));
      expect(next.status).toBe(200);
      next.close();
    });
  });

  it('answers 503 when the registry takes no more sessions', async () => {
    const registry = new BridgeRegistry({ maxSessions: 1 });
    await using server = await listen({ registry, factory: (sessionId) => new EventBridge(sessionId) });
    await server.bridge('a').emitStatusMessage({ assistantId: 'a', message: 'at work' });
    const refused = await open(server.url('b'));
    await refused.ended;
    expect([refused.status, JSON.parse(refused.text()).code]).toEqual([503, 'TOO_MANY_SESSIONS']);
  });

  it('gives the place back after every refusal', async () => {
    let answer: EventBridge | null = null;
    await using server = await listen({ limits: { readersPerSession: 1 }, factory: () => answer });
    for (let index = 0; index < 3; index += 1) expect((await open(server.url('x'))).status).toBe(404);
    answer = new EventBridge('x');
    const { status, close } = await open(server.url('x'));
    expect(status).toBe(200);
    close();
  });
});

describe('when the app closes', () => {
  it.each([true, false])(
    'tells every reader when to come back, ends its stream and lets nobody in (Fastify refuses itself: %s)',
    async (return503OnClosing) => {
      const registry = new BridgeRegistry();
      const bridge = registry.getOrCreate('s1');
      const app = Fastify({ return503OnClosing });
      mountEvents(app, { registry, authorize: () => true, prefix: '/teams/:team' });
      let duringClose: unknown;
      app.addHook('preClose', async () => {
        const late = await open(url('s1'));
        duringClose = [late.status, late.headers['retry-after']];
        await late.ended;
      });
      await app.listen({ port: 0, host: '127.0.0.1' });
      const url = (id: string) =>
        `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/teams/a/events/${id}`;
      const readers = [await open(url('s1')), await open(url('s1')), await open(url('not yet'))];
      for (const { until } of readers) await until(isLive);
      await app.close();
      for (const { ended, text } of readers) {
        await ended;
        const retryMs = Number(/retry: (\d+)\n\n$/.exec(text())?.[1]);
        expect(retryMs).toBeGreaterThanOrEqual(500);
        expect(retryMs).toBeLessThanOrEqual(2_500);
      }
      expect(duringClose).toEqual([503, '1']);
      expect(bridge.subscriberCount).toBe(0);
      expect(bridge.closed).toBe(false);
      await registry.close();
    },
  );
});

describe('mounting', () => {
  it('applies prefix and path, also as a plugin that is given a prefix', async () => {
    const registry = new BridgeRegistry();
    registry.getOrCreate('s1');
    const app = Fastify({ forceCloseConnections: true });
    await app.register(eventsPlugin, {
      prefix: '/api',
      logLevel: 'warn',
      path: '/stream/:sessionId',
      registry,
      authorize: () => true,
    });
    await app.register(async (child) => mountEvents(child, { prefix: '', registry, authorize: () => true }), {
      prefix: '/child',
    });
    expect(app.eventBridges).toBe(registry);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    for (const path of ['/api/stream/s1', '/child/events/s1']) {
      expect((await open(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    }
    await app.close();
  });

  it('gives app.inject the whole stream when it has ended', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    await bridge.emitStatusMessage({ assistantId: 'a', message: 'held' });
    const answer = server.app.inject('/svc/events/s1');
    await bridge.waitForSubscriber({ timeoutMs: 10_000 });
    await bridge.emitFinal('live');
    const { statusCode, payload } = await answer;
    expect(statusCode).toBe(200);
    expect(eventsIn(payload).map(([, event]) => event)).toEqual(['status_message', 'final']);
  });

  it('serves the bridges of getEventBridge by default, which are for browsers', async () => {
    const app = Fastify({ forceCloseConnections: true });
    mountEvents(app, { authorize: () => true });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const bridge = getEventBridge('default-1');
    expect(bridge.audience).toBe('frontend_safe');
    expect(getEventBridge('default-1', { audience: 'internal' })).toBe(bridge);
    expect(getEventBridge('default-2', { audience: 'internal' }).audience).toBe('internal');
    expect(app.eventBridges.get('default-1')).toBe(bridge);
    expect(app.eventBridges.getOrCreate('default-3').audience).toBe('frontend_safe');
    const reader = await open(`http://127.0.0.1:${port}/svc/events/default-1`);
    await removeEventBridge('default-1');
    await reader.ended;
    expect((await open(`http://127.0.0.1:${port}/svc/events/default-1`)).status).toBe(204);
    for (const id of ['default-1', 'default-2', 'default-3']) await removeEventBridge(id);
    await app.close();
  });

  it('answers, and holds no reader and no place, when a header that a hook has set cannot be sent', async () => {
    await using server = await listen({ limits: { readersPerSession: 1 } }, (app) => {
      app.addHook('onRequest', async (_, reply) => void reply.header('x-note', 'two\nlines'));
    });
    const bridge = server.bridge();
    for (const _ of [1, 2]) {
      const reader = await open(server.url());
      await reader.ended;
      expect([reader.status, JSON.parse(reader.text())]).toMatchObject([500, { code: 'ERR_INVALID_CHAR' }]);
    }
    expect(bridge.subscriberCount).toBe(0);
  });

  it('sends what other plugins have set, such as CORS headers', async () => {
    await using server = await listen({}, async (app) => {
      await app.register(cors, { origin: ['https://page.test'], credentials: true });
    });
    server.bridge();
    const origin = 'https://page.test';
    const { headers, close } = await open(server.url(), { origin });
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
    });
    close();
    const preflight = await fetch(server.url(), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'last-event-id,authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('last-event-id');
    expect((await open(server.url('%20'), { origin })).headers['access-control-allow-origin']).toBe(origin);
  });
});
