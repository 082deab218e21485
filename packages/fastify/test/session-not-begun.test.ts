import { BridgeRegistry, EventBridge, MemoryEventLog } from '@svc/events';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { eventsIn, isLive, listen, open, turn } from './app.js';

describe('a session that has not begun', () => {
  it('sends readers headers and heartbeats, without creating a bridge, until there is one', async () => {
    await using server = await listen({ heartbeatIntervalMs: 5 });
    const { status, until, text, ended } = await open(server.url());
    expect(status).toBe(200);
    await until((soFar) => soFar.startsWith(': live\n\n') && soFar.includes(': keepalive'));
    expect(server.registry.size).toBe(0);
    await server.bridge().emitFinal('done');
    await ended;
    expect(eventsIn(text()).map(([, event]) => event)).toEqual(['final']);
  });

  it('replays what its log already contains when its bridge is created', async () => {
    const log = new MemoryEventLog();
    await new EventBridge('s1', { log }).emitStatusMessage({ assistantId: 'a', message: 'before' });
    await using server = await listen();
    const { until, close } = await open(server.url());
    await until(isLive);
    server.bridge('s1', { log });
    const text = await until((soFar) => soFar.split(': live').length === 3);
    expect(text).toMatch(/^: live\n\n: replay\n\nid: .*"before".*\n\n: live\n\n$/s);
    close();
  });

  it('no longer counts a waiting reader that disconnects', async () => {
    await using server = await listen({ limits: { waitingReaders: 1 } });
    const first = await open(server.url('a'));
    await first.until(isLive);
    expect((await open(server.url('b'))).status).toBe(503);
    first.close();
    const statusOfNext = async () => {
      const next = await open(server.url('b'));
      next.close();
      return next.status;
    };
    await expect.poll(statusOfNext).toBe(200);
  });

  it('admits as many waiting readers as the limit says, also when one has left', async () => {
    await using server = await listen({ limits: { waitingReaders: 2 } });
    const statusOf = async (sessionId: string) => (await open(server.url(sessionId))).status;
    const first = await open(server.url('a'));
    expect([first.status, await statusOf('b'), await statusOf('c')]).toEqual([200, 200, 503]);
    first.close();
    await expect.poll(() => statusOf('c')).toBe(200);
    expect(await statusOf('d')).toBe(503);
  });

  it('attaches all waiting readers except those that have disconnected', async () => {
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

  it('is still waited for when another session begins', async () => {
    await using server = await listen();
    const [one, other] = [await open(server.url('one')), await open(server.url('other'))];
    for (const { until } of [one, other]) await until(isLive);
    await server.bridge('one').emitFinal('for one');
    await one.ended;
    await server.bridge('other').emitFinal('for other');
    await other.ended;
    expect(one.text()).toContain('for one');
    expect(other.text()).toContain('for other');
    expect(other.text()).not.toContain('for one');
  });

  it('frees the place of each reader that it attaches exactly once', async () => {
    await using server = await listen({ limits: { waitingReaders: 2 } });
    const readers = [await open(server.url('a')), await open(server.url('a'))];
    for (const { until } of readers) await until(isLive);
    await server.bridge('a').emitFinal('done');
    for (const { ended } of readers) await ended;
    const statuses: (number | undefined)[] = [];
    for (const id of ['b', 'c', 'd']) statuses.push((await open(server.url(id))).status);
    expect(statuses).toEqual([200, 200, 503]);
  });

  it('can begin while a reader is being admitted', async () => {
    const registry = new BridgeRegistry();
    const begin = () => registry.getOrCreate('s1', () => new EventBridge('s1')).audience;
    const audience = ({ url }: FastifyRequest) => (url.endsWith('s1') ? begin() : 'internal');
    await using server = await listen({ registry, audience, limits: { waitingReaders: 1 } });
    const { text, ended } = await open(server.url());
    const other = await open(server.url('not-begun'));
    expect(other.status).toBe(200);
    other.close();
    await server.bridge().emitFinal('done');
    await ended;
    expect(eventsIn(text()).map(([, event]) => event)).toEqual(['final']);
  });

  it('is answered with 204 if it begins and is removed while a reader is being admitted', async () => {
    const registry = new BridgeRegistry();
    const audience = async () => {
      registry.getOrCreate('s1', () => new EventBridge('s1'));
      await registry.remove('s1');
      return 'internal' as const;
    };
    await using server = await listen({ registry, audience });
    expect((await open(server.url())).status).toBe(204);
  });

  it('cuts off its readers if its log cannot be read', async () => {
    await using server = await listen();
    const { ended, until, response } = await open(server.url());
    await until(isLive);
    const log = new MemoryEventLog();
    log.inspect = () => Promise.reject(new Error('the log is gone'));
    server.bridge('s1', { log });
    await ended;
    expect(response.complete).toBe(false);
  });

  it('is listened for until the app closes', async () => {
    let listening = 0;
    class CountingRegistry extends BridgeRegistry {
      override onBridge(...given: Parameters<BridgeRegistry['onBridge']>) {
        const stop = super.onBridge(...given);
        listening += 1;
        return () => {
          listening -= 1;
          stop();
        };
      }
    }
    const { app } = await listen({ registry: new CountingRegistry() });
    expect(listening).toBe(1);
    await app.close();
    expect(listening).toBe(0);
  });

  it('ends the streams of its readers when the registry closes', async () => {
    await using server = await listen();
    const { ended, until } = await open(server.url());
    await until(isLive);
    await server.registry.close();
    await ended;
  });

  it.each([null, undefined])('is answered with 404 if the factory returns %s', async (answer) => {
    await using server = await listen({ factory: async () => answer });
    const reader = await open(server.url());
    await reader.ended;
    expect([reader.status, JSON.parse(reader.text())]).toMatchObject([404, { code: 'SESSION_NOT_FOUND' }]);
  });

  it('gets one bridge from the factory for concurrent requests', async () => {
    const log = new MemoryEventLog();
    await new EventBridge('x', { log }).emitStatusMessage({ assistantId: 'a', message: 'before' });
    const made: EventBridge[] = [];
    const bothAsked = Promise.withResolvers<void>();
    const factory = vi.fn(async (sessionId: string, _request: FastifyRequest): Promise<EventBridge> => {
      const bridge = new EventBridge(sessionId, { log });
      if (factory.mock.calls.length === 2) {
        await bridge.emitStatusMessage({ assistantId: 'a', message: 'made' });
        bothAsked.resolve();
      }
      await bothAsked.promise;
      made.push(bridge);
      return bridge;
    });
    await using server = await listen({ factory });
    const readers = await Promise.all([open(server.url('x')), open(server.url('x'))]);
    expect(server.registry.size).toBe(1);
    expect(server.registry.get('x')?.subscriberCount).toBe(2);
    expect(factory.mock.calls[0]).toMatchObject(['x', { url: '/svc/events/x' }]);
    // The bridge that is not needed is closed, and the session continues.
    expect(made.map(({ closed }) => closed)).toEqual([false, true]);
    expect((await log.inspect('x'))?.headKind).toBe('event');
    for (const { close } of readers) close();
  });

  it('does not call the factory if the registry has its bridge', async () => {
    const factory = vi.fn(() => null);
    await using server = await listen({ factory });
    server.bridge();
    const { status, close } = await open(server.url());
    expect([status, factory.mock.calls]).toEqual([200, []]);
    close();
  });

  it('is answered with 500 if the factory throws', async () => {
    await using server = await listen({
      factory: () => {
        throw new Error('private: db-password');
      },
    });
    const reader = await open(server.url());
    await reader.ended;
    expect([reader.status, JSON.parse(reader.text())]).toMatchObject([500, { code: 'INTERNAL_ERROR' }]);
  });

  it.each([
    ['a bridge of another session', () => new EventBridge('another')],
    ['an object that is not a bridge', () => ({}) as EventBridge],
    ['a string', () => 'TOO_MANY_SESSIONS' as unknown as EventBridge],
  ])('is answered with 500 if the factory returns %s, which is not kept', async (_, factory) => {
    await using server = await listen({ factory });
    const reader = await open(server.url());
    await reader.ended;
    expect([reader.status, JSON.parse(reader.text())]).toMatchObject([500, { code: 'INTERNAL_ERROR' }]);
    expect(server.registry.size).toBe(0);
  });
});
