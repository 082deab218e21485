import type { AddressInfo } from 'node:net';
import { BridgeRegistry, EventBridge, type LogPage, MemoryEventLog } from '@svc/events';
import Fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { mountEvents } from '../src/index.js';
import { chunk, eventsIn, isLive, listen, open } from './app.js';

/** A log page that throws when it is read, as that of a custom log may. */
function unreadable(page: LogPage): LogPage {
  const find = () => {
    throw new Error('these marks cannot be read');
  };
  return { ...page, marks: Object.assign([], { find }) };
}

describe('a request', () => {
  it.each([
    ['a blank session id', '%20', {}, 400, 'INVALID_SESSION_ID'],
    ['a session id with control characters', 'a%0Ab', {}, 400, 'INVALID_SESSION_ID'],
    ['a cursor that is too long', 's1', { 'last-event-id': 'x'.repeat(257) }, 400, 'INVALID_CURSOR'],
    ['a cursor with control characters', 's1?last_event_id=a%00b', {}, 400, 'INVALID_CURSOR'],
    ['a cursor with control characters above ASCII', 's1?last_event_id=%C2%9B31m', {}, 400, 'INVALID_CURSOR'],
    ['another media type', 's1', { accept: 'application/json' }, 406, 'NOT_ACCEPTABLE'],
  ])('with %s is refused before authorize is called', async (_, path, headers, status, code) => {
    const authorize = vi.fn(() => true);
    await using server = await listen({ authorize });
    const reader = await open(server.url(path), headers);
    await reader.ended;
    expect([reader.status, JSON.parse(reader.text())]).toEqual([
      status,
      { code, message: expect.any(String) },
    ]);
    expect(reader.headers['retry-after']).toBeUndefined();
    expect(authorize).not.toHaveBeenCalled();
  });

  it('is answered with 500 if the log cannot be read, and the cause is only logged', async () => {
    const lines: string[] = [];
    const app = Fastify({ logger: { level: 'error', stream: { write: (line) => void lines.push(line) } } });
    const registry = new BridgeRegistry();
    mountEvents(app, { authorize: () => true, registry });
    const log = new MemoryEventLog();
    const bridge = registry.getOrCreate('s1', () => new EventBridge('s1', { log }));
    await bridge.emitAssistantChunk(chunk('one'));
    log.readAfter = () => Promise.reject(new Error('private: db-password'));
    const answer = await app.inject('/svc/events/s1');
    expect([answer.statusCode, answer.json()]).toMatchObject([500, { code: 'INTERNAL_ERROR' }]);
    expect(answer.payload).not.toContain('private');
    expect(lines).toEqual([expect.stringMatching(/private: db-password.*failed to open the event stream/)]);
    await app.close();
  });

  it('that is refused leaves its connection open for the next one', async () => {
    const app = Fastify();
    mountEvents(app, { authorize: () => false, registry: new BridgeRegistry() });
    const { statusCode, headers } = await app.inject('/svc/events/s1');
    expect([statusCode, headers.connection]).toEqual([403, 'keep-alive']);
    await app.close();
  });

  it('can have a session id of 256 characters if the app’s router allows it', async () => {
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

  it('with the method HEAD or POST is answered with 404', async () => {
    await using server = await listen();
    for (const method of ['HEAD', 'POST']) {
      expect((await fetch(server.url(), { method })).status).toBe(404);
    }
  });

  it('is answered with 204 if the session has ended and was read to its end, even after its removal', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    await bridge.emitAssistantChunk(chunk('one'));
    await bridge.close();
    const late = await open(server.url());
    await late.ended;
    expect(eventsIn(late.text()).map(([, event]) => event)).toEqual(['assistant_chunk']);
    const cursor = eventsIn(late.text()).at(-1)?.[0] ?? '';
    const { status, headers } = await open(server.url(), { 'last-event-id': cursor });
    expect([status, headers['cache-control']]).toEqual([204, 'no-store']);
    await server.registry.remove('s1');
    expect((await open(server.url(), { 'last-event-id': cursor })).status).toBe(204);
    expect((await open(server.url())).status).toBe(204);
  });

  it('gets what a shared log still has of a removed session, then 204', async () => {
    const log = new MemoryEventLog();
    const create = (sessionId: string) => new EventBridge(sessionId, { audience: 'frontend_safe', log });
    await using server = await listen({ factory: create });
    const bridge = server.registry.getOrCreate('s1', () => create('s1'));
    await bridge.emitAssistantChunk(chunk('one'));
    const [{ id: cursor } = { id: '' }] = await bridge.history();
    await bridge.emitAssistantChunk(chunk('two'));
    await server.registry.remove('s1');
    const late = await open(server.url(), { 'last-event-id': cursor });
    await late.ended;
    expect(late.text()).toContain('"text":"two"');
    const [[last = ''] = []] = eventsIn(late.text());
    expect((await open(server.url(), { 'last-event-id': last })).status).toBe(204);
    expect(server.registry.hasEnded('s1')).toBe(true);
  });

  it('follows a session that was removed here and continues in another process', async () => {
    const log = new MemoryEventLog();
    const create = (sessionId: string) => new EventBridge(sessionId, { audience: 'frontend_safe', log });
    await using server = await listen({ factory: create });
    const elsewhere = create('s1');
    await elsewhere.emitAssistantChunk(chunk('one'));
    server.registry.getOrCreate('s1', () => create('s1'));
    await server.registry.remove('s1');
    const reader = await open(server.url());
    await reader.until(isLive);
    await elsewhere.emitAssistantChunk(chunk('two'));
    expect(await reader.until((text) => text.includes('"text":"two"'))).toContain('"text":"one"');
    reader.close();
  });

  it.each<[string, (sessionId: string) => EventBridge | null]>([
    ['a bridge without the session', (sessionId) => new EventBridge(sessionId)],
    ['nothing', () => null],
  ])('is answered with 204 after a removal if the factory returns %s', async (_, factory) => {
    await using server = await listen({ factory });
    await server.bridge().emitAssistantChunk(chunk('one'));
    await server.registry.remove('s1');
    expect((await open(server.url())).status).toBe(204);
    expect((await open(server.url(), { 'last-event-id': 'x-1' })).status).toBe(204);
    expect(server.registry.size).toBe(0);
  });

  it('leaves no reader on a bridge that the factory returns for a removed session', async () => {
    const made: EventBridge[] = [];
    const factory = (sessionId: string) => {
      const bridge = new EventBridge(sessionId);
      made.push(bridge);
      return bridge;
    };
    await using server = await listen({ factory });
    await server.bridge().emitAssistantChunk(chunk('one'));
    await server.registry.remove('s1');
    expect((await open(server.url())).status).toBe(204);
    expect(made.map(({ subscriberCount }) => subscriberCount)).toEqual([0]);
  });

  it('is answered with 500 if the factory returns the bridge of another session for a removed one', async () => {
    await using server = await listen({ factory: () => new EventBridge('other') });
    server.bridge();
    await server.registry.remove('s1');
    expect((await open(server.url())).status).toBe(500);
  });

  it('is answered with 204 after the end of the session, even for another audience than the bridge’s', async () => {
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

  it('with the cursor of the end of a turn waits for the next turn', async () => {
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

describe('the limits', () => {
  it.each([
    ['TOO_MANY_READERS', { readersPerSession: 1 }, 'a'],
    ['TOO_MANY_SESSIONS', { sessions: 1 }, 'b'],
  ])(
    'refuse with %s, status 503 and Retry-After, until a reader disconnects',
    async (code, limits, second) => {
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
      const statusOfNext = async () => {
        const next = await open(server.url(second));
        next.close();
        return next.status;
      };
      await expect.poll(statusOfNext).toBe(200);
    },
  );

  it('include the maxSessions of the registry', async () => {
    const registry = new BridgeRegistry({ maxSessions: 1 });
    await using server = await listen({ registry, factory: (sessionId) => new EventBridge(sessionId) });
    await server.bridge('a').emitStatusMessage({ assistantId: 'a', message: 'at work' });
    const refused = await open(server.url('b'));
    await refused.ended;
    expect([refused.status, JSON.parse(refused.text()).code]).toEqual([503, 'TOO_MANY_SESSIONS']);
  });

  it('do not count a reader that was refused', async () => {
    let answer: EventBridge | null = null;
    await using server = await listen({ limits: { readersPerSession: 1 }, factory: () => answer });
    for (let index = 0; index < 3; index += 1) expect((await open(server.url('x'))).status).toBe(404);
    answer = new EventBridge('x');
    const { status, close } = await open(server.url('x'));
    expect(status).toBe(200);
    close();
  });

  it('free the place of a stream that fails as it begins exactly once', async () => {
    const log = new MemoryEventLog();
    await using server = await listen({ audience: 'internal', limits: { readersPerSession: 2 } });
    const bridge = server.bridge('s1', { log });
    await bridge.emit('custom', {});
    const staying = await open(server.url());
    await staying.until(isLive);
    const read = log.readAfter.bind(log);
    log.readAfter = async (...given) => unreadable(await read(...given));
    await expect(open(server.url())).rejects.toMatchObject({ code: 'ECONNRESET' });
    log.readAfter = read;
    expect(bridge.subscriberCount).toBe(1);
    const next = await open(server.url());
    await next.until(isLive);
    expect((await open(server.url())).status).toBe(503);
    for (const { close } of [staying, next]) close();
  });

  it('free the place of a stream that fails later, and other sessions continue', async () => {
    const log = new MemoryEventLog();
    const follow = log.follow.bind(log);
    log.follow = (...given) => ({
      async *[Symbol.asyncIterator]() {
        for await (const page of follow(...given)) yield unreadable(page);
      },
    });
    await using server = await listen({ audience: 'internal', limits: { sessions: 2 } });
    const [broken, sound] = [server.bridge('broken', { log }), server.bridge('sound')];
    const [reader, other] = [await open(server.url('broken')), await open(server.url('sound'))];
    for (const { until } of [reader, other]) await until(isLive);
    await Promise.all([broken, sound].map((bridge) => bridge.emit('custom', {})));
    await reader.ended;
    expect([reader.response.complete, broken.subscriberCount]).toEqual([false, 0]);
    await other.until((text) => eventsIn(text).length === 1);
    const { status, close } = await open(server.url('third'));
    expect(status).toBe(200);
    for (const leave of [close, other.close]) leave();
  });
});
