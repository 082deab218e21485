import { getEventListeners } from 'node:events';
import type { RunQuery } from '@svc/contracts/orchestrator';
import { runStoreSuite } from '@svc/orchestrator/testing';
import type { RedisOptions } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { redisRunStore } from '../src/index.js';
import { hasByteScripts, type RedisClient } from '../src/redis-client.js';
import { addLimitedUser, deniedCommands, limitedUser } from './limited-user.js';
import { hasRedis, RedisServer } from './redis-server.js';

/** The same client, with the byte commands in its type. */
function withByteScripts<Client extends RedisClient>(client: Client) {
  if (!hasByteScripts(client)) throw new TypeError('not an ioredis client');
  return client;
}

describe.skipIf(!hasRedis)('redisRunStore', () => {
  let server: RedisServer;
  let prefixes = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
    await addLimitedUser(server, 'test-');
  });
  afterAll(() => server?.stop());

  runStoreSuite({
    name: 'redis',
    async open() {
      const prefix = `test-${(prefixes += 1)}:`;
      const again = async () => redisRunStore({ client: server.client(limitedUser), prefix });
      return { store: await again(), reopen: again, beside: again };
    },
  });

  describe('listRuns', () => {
    const run = { keyId: 'k', labels: {}, request: { much: 'text' }, owner: 'a', nowMs: 1, leaseMs: 1 };

    it('does not read the requests of runs, which can be large', async () => {
      const client = server.client();
      await using store = redisRunStore({ client, prefix: 'test-list:' });
      await store.createRun({ ...run, sessionId: 's1', projectId: 'p' });
      // The client is connected by now: while it connects, the driver would mistake monitored commands for replies.
      const monitor = await client.monitor();
      const read: string[] = [];
      const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
      monitor.on('monitor', (_time: string, [command = '', ...fields]: string[]) => {
        if (command.toLowerCase() === 'hmget') read.push(...fields);
        if (command.toLowerCase() === 'echo') see();
      });
      const claimableBy = { owner: 'b', nowMs: 9 };
      expect(await store.listRuns({ ended: false, claimableBy, limit: 5 })).toMatchObject([
        { sessionId: 's1' },
      ]);
      await client.echo('listed');
      await isSeen;
      monitor.disconnect();
      expect(read).toContain('labels');
      expect(read).not.toContain('request');
    });

    it('finds a few runs among many, looking through at most 1,000 of them per step', async () => {
      const client = server.client();
      await using store = redisRunStore({ client, prefix: 'test-many:' });
      const ids = Array.from({ length: 2500 }, (_, n) => `s${String(n).padStart(4, '0')}`);
      const creating = ids.map((sessionId, n) =>
        // Three in each millisecond, among them the last one of a step and the first one of the next.
        store.createRun({ ...run, sessionId, projectId: 'p', nowMs: Math.floor((n + 1) / 3) }),
      );
      await Promise.all(creating);
      const wanted = ['s0003', 's0700', 's1200', 's2400'];
      for (const id of wanted) await store.append(id, { entries: [], nowMs: 1, ends: true });
      const listed = async (query: RunQuery) =>
        (await store.listRuns(query)).map(({ sessionId }) => sessionId);
      const steps = vi.spyOn(client, 'evalsha');
      expect(await listed({ ended: true, limit: 10 })).toEqual(wanted.toReversed());
      expect(steps).toHaveBeenCalledTimes(3);
      expect(await listed({ ended: true, limit: 2 })).toEqual(['s2400', 's1200']);
      expect(await listed({ limit: 3000 })).toEqual(ids.toReversed());
      const claimableBy = { owner: 'b', nowMs: 2 };
      expect(await listed({ claimableBy, limit: 10 })).toEqual(['s0004', 's0002', 's0001', 's0000']);
    });

    it('returns nothing for a limit of 0, and compares lease times as numbers', async () => {
      await using store = redisRunStore({ client: server.client(), prefix: 'test-times:' });
      await store.createRun({ ...run, sessionId: 's1', projectId: 'p', nowMs: 1, leaseMs: 8 });
      expect(await store.listRuns({ limit: 0 })).toEqual([]);
      const claim = { owner: 'b', nowMs: 10, leaseMs: 90 };
      expect(await store.listRuns({ claimableBy: claim, limit: 5 })).toHaveLength(1);
      expect(await store.claimRun('s1', claim)).toMatchObject({ owner: 'b', leaseUntilMs: 100 });
    });

    it('continues after a step of runs that were all created in the same millisecond', async () => {
      await using store = redisRunStore({ client: server.client(), prefix: 'test-moment:' });
      const ids = Array.from({ length: 1500 }, (_, n) => `s${String(n).padStart(4, '0')}`);
      await Promise.all(ids.map((sessionId) => store.createRun({ ...run, sessionId, projectId: 'p' })));
      await store.append('s0000', { entries: [], nowMs: 1, ends: true });
      expect(await store.listRuns({ ended: true, limit: 1 })).toMatchObject([{ sessionId: 's0000' }]);
    });

    it('leaves out a run that was removed by hand, and its journal is still swept', async () => {
      const client = server.client();
      await using store = redisRunStore({ client, prefix: 'test-hand:' });
      await store.createRun({ ...run, sessionId: 's1', projectId: 'p', threadId: 't' });
      await store.append('s1', { entries: [{ kind: 'event', data: 1 }], nowMs: 1, ends: true });
      await client.del('test-hand:{runs}:run:s1');
      for (const query of [{}, { projectId: 'p' }, { threadId: 't' }])
        expect(await store.listRuns({ ...query, limit: 5 })).toEqual([]);
      expect(await store.sweep({ endedBeforeMs: 2, nowMs: 1 })).toBe(1);
      expect(await client.exists('test-hand:{runs}:journal:s1')).toBe(0);
    });

    it.each([
      [{}, 'all'],
      [{ projectId: 'p' }, 'project:p'],
      [{ projectId: 'p', ended: false, threadId: 't' }, 'thread:t'],
      [{ ended: false }, 'open'],
      [{ projectId: 'p', ended: false }, 'open:p'],
      [{ claimableBy: { owner: 'a', nowMs: 1 } }, 'open'],
    ])('for %o searches only the index %s', async (query, index) => {
      const client = server.client();
      const prefix = `test-${(prefixes += 1)}:`;
      await using store = redisRunStore({ client, prefix });
      await store.createRun({ ...run, sessionId: 's1', projectId: 'p', threadId: 't' });
      const steps = vi.spyOn(client, 'evalsha');
      expect(await store.listRuns({ ...query, limit: 5 })).toMatchObject([{ sessionId: 's1' }]);
      const keys = steps.mock.calls.map(([, , key]) => key);
      expect(keys).toEqual([`${prefix}{runs}:${index}`]);
    });
  });

  it('notifies followers of a new record at once, without waiting for a ping', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = withByteScripts(server.client());
    await using store = redisRunStore({ client, prefix: 'test-told:' });
    const run = { projectId: 'p', keyId: 'k', labels: {}, request: null, owner: 'a', nowMs: 1, leaseMs: 1 };
    await store.createRun({ ...run, sessionId: 's1' });
    await store.readJournal('s1', { afterSeq: 0, limit: 1 });
    const read = vi.spyOn(client, 'evalshaBuffer');
    const { signal } = new AbortController();
    const records = store.follow('s1', { afterSeq: 0, signal })[Symbol.asyncIterator]();
    const next = records.next();
    await expect.poll(() => read.mock.settledResults).toMatchObject([{ type: 'fulfilled' }]);
    await store.append('s1', { entries: [{ kind: 'event', data: 1 }], nowMs: 1 });
    expect(await next).toMatchObject({ value: [{ data: 1 }] });
    const channels = () => server.client().pubsub('CHANNELS', '*test-told*');
    expect(await channels()).toHaveLength(1);
    // A follower that starts while the channel is subscribed does not wait, either.
    for await (const found of store.follow('s1', { afterSeq: 0 })) {
      expect(found).toMatchObject([{ data: 1 }]);
      break;
    }
    await records.return?.();
    await expect.poll(channels).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('notifies a follower of a record that is appended while it reads, without waiting for a ping', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = withByteScripts(server.client());
    await using store = redisRunStore({ client, prefix: 'test-looking:' });
    const run = { projectId: 'p', keyId: 'k', labels: {}, request: null, owner: 'a', nowMs: 1, leaseMs: 1 };
    await store.createRun({ ...run, sessionId: 's1' });
    const follow = () => store.follow('s1', { afterSeq: 0 })[Symbol.asyncIterator]();
    const [looking, other] = [follow(), follow()];
    const read = client.evalshaBuffer.bind(client);
    vi.spyOn(client, 'evalshaBuffer').mockImplementationOnce(async (...given) => {
      const found = await read(...given);
      await store.append('s1', { entries: [{ kind: 'event', data: 1 }], nowMs: 1 });
      // Later subscribers are notified later.
      await other.next();
      return found;
    });
    expect(await looking.next()).toMatchObject({ value: [{ data: 1 }] });
  });

  it('reads only after news, and discards a read that finishes after the follower is aborted', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = withByteScripts(server.client());
    await using store = redisRunStore({ client, prefix: 'test-quiet:' });
    const run = { projectId: 'p', keyId: 'k', labels: {}, request: null, owner: 'a', nowMs: 1, leaseMs: 1 };
    await store.createRun({ ...run, sessionId: 's1' });
    await store.readJournal('s1', { afterSeq: 0, limit: 1 });
    const abort = new AbortController();
    const read = client.evalshaBuffer.bind(client);
    const asked = vi.spyOn(client, 'evalshaBuffer');
    const records = store.follow('s1', { afterSeq: 0, signal: abort.signal })[Symbol.asyncIterator]();
    const append = (data: number) => store.append('s1', { entries: [{ kind: 'event', data }], nowMs: 1 });
    const first = records.next();
    await expect.poll(() => asked.mock.settledResults).toMatchObject([{ type: 'fulfilled' }]);
    await append(1);
    await first;
    const second = records.next();
    await expect.poll(() => asked.mock.settledResults.at(2)).toMatchObject({ type: 'fulfilled' });
    asked.mockImplementationOnce(async (...given) => {
      const found = await read(...given);
      abort.abort();
      return found;
    });
    await append(2);
    expect(await second).toEqual({ done: true, value: undefined });
    expect(asked).toHaveBeenCalledTimes(4);
  });

  it.each<RedisOptions>([{ enableAutoPipelining: true }, { stringNumbers: true }, { protocol: 3 }])(
    'works with the client options %o',
    async (options) => {
      const prefix = `test-${(prefixes += 1)}:`;
      await using store = redisRunStore({ client: server.client(options), prefix });
      const run = { projectId: 'p', keyId: 'k', labels: {}, request: null, owner: 'a', nowMs: 1, leaseMs: 1 };
      await store.createRun({ ...run, sessionId: 's1' });
      const records = store.follow('s1', { afterSeq: 0 })[Symbol.asyncIterator]();
      const first = records.next();
      await store.append('s1', { entries: [{ kind: 'event', data: 1 }], nowMs: 1 });
      expect(await first).toMatchObject({ value: [{ data: 1 }] });
      const second = records.next();
      // By then the follower has read again and found nothing.
      expect(await store.readRun('s1')).toMatchObject({ lastSeq: 1 });
      await store.append('s1', { entries: [{ kind: 'event', data: 2 }], nowMs: 1 });
      expect(await second).toMatchObject({ value: [{ data: 2 }] });
      const place = { projectId: 'p', collection: 'c', id: 'd' };
      expect(await store.putDocument({ ...place, value: 1, nowMs: 1 })).toMatchObject({ version: 1 });
      expect(await store.deleteDocument(place)).toBe(true);
      expect(await store.increment('n', 1.5, { nowMs: 1, expiresAtMs: 2 })).toBe(1.5);
    },
  );

  it('lists a document that is written again after it expired as the newest', async () => {
    await using store = redisRunStore({ client: server.client(), prefix: 'test-anew:' });
    const place = { projectId: 'p', collection: 'c' };
    const put = (id: string, nowMs: number) =>
      store.putDocument({ ...place, id, value: 1, nowMs, expiresAtMs: nowMs + 10 });
    for (const [id, nowMs] of [
      ['a', 1],
      ['b', 5],
      ['a', 12],
    ] as const)
      await put(id, nowMs);
    const listed = await store.listDocuments({ ...place, nowMs: 13, limit: 5 });
    expect(listed.map(({ id, createdAtMs }) => [id, createdAtMs])).toEqual([
      ['b', 5],
      ['a', 12],
    ]);
  });

  it('keeps documents apart whose project and collection concatenate to the same string', async () => {
    await using store = redisRunStore({ client: server.client(), prefix: 'test-apart:' });
    await store.putDocument({ projectId: 'a', collection: 'bc', id: 'd', value: 1, nowMs: 1 });
    const other = { projectId: 'ab', collection: 'c' };
    expect(await store.readDocument({ ...other, id: 'd' }, 1)).toBeUndefined();
    expect(await store.listDocuments({ ...other, nowMs: 1, limit: 5 })).toEqual([]);
  });

  it.each(['documents', 'counters'])('sweeps all expired %s, however many there are', async (kind) => {
    const client = server.client();
    const prefix = `test-${kind}:`;
    await using store = redisRunStore({ client, prefix });
    const time = { nowMs: 1, expiresAtMs: 2 };
    const place = { projectId: 'p', collection: 'c', value: 1 };
    const make = async (id: string): Promise<unknown> =>
      kind === 'documents' ? store.putDocument({ ...place, ...time, id }) : store.increment(id, 1, time);
    await Promise.all(Array.from({ length: 450 }, (_, n) => make(`${n}`)));
    await store.sweep({ endedBeforeMs: 0, nowMs: 2 });
    expect((await client.keys(`${prefix}*`)).filter((key) => !key.endsWith('creations'))).toEqual([]);
  });

  it('has the scope "cluster", because all processes share it', async () => {
    await using store = redisRunStore({ client: server.client() });
    expect(store.scope).toBe('cluster');
  });

  it('is closed at the end of an "await using" block, and leaves the client open', async () => {
    const client = server.client({ connectionName: 'closing' });
    const store = redisRunStore({ client });
    {
      await using used = store;
      await used.readRun('s');
      for await (const _ of used.follow('s', { afterSeq: 0 }));
    }
    await expect(store.readRun('s')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    expect(await client.ping()).toBe('PONG');
    // The connection that listened is closed.
    const connections = async () => String(await client.client('LIST')).match(/ name=closing /g);
    await expect.poll(connections).toHaveLength(1);
    const connecting = vi.spyOn(client, 'duplicate');
    for await (const _ of store.follow('s', { afterSeq: 0 }));
    expect(connecting).not.toHaveBeenCalled();
  });

  it('needs no permissions beyond those that the guide names', async () => {
    expect(await deniedCommands(server)).toEqual([]);
  });
});
