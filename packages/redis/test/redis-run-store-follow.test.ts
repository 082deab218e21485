import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { redisRunStore } from '../src/index.js';
import { hasByteScripts } from '../src/redis-client.js';
import { ChannelSignal } from '../src/runs/channel-signal.js';
import { hasRedis, RedisServer } from './redis-server.js';

describe.skipIf(!hasRedis)('a follower of redisRunStore', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  const run = { projectId: 'p', keyId: 'k', labels: {}, request: null, owner: 'a', nowMs: 1, leaseMs: 1 };

  it('gets a long journal in batches of 64 records, because each can be large', async () => {
    await using store = redisRunStore({ client: server.client() });
    await store.createRun({ ...run, sessionId: 's1' });
    const entries = Array.from({ length: 150 }, (_, n) => ({ kind: 'event', data: n }));
    await store.append('s1', { entries, nowMs: 1, ends: true });
    const batches: unknown[][] = [];
    for await (const records of store.follow('s1', { afterSeq: 0 }))
      batches.push(records.map(({ data }) => data));
    expect(batches.flat()).toEqual(entries.map(({ data }) => data));
    expect(batches.map(({ length }) => length)).toEqual([64, 64, 22]);
  });

  it('reads nothing more once it is aborted while waiting, and is released by the store', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = server.client();
    if (!hasByteScripts(client)) throw new TypeError('not an ioredis client');
    await using store = redisRunStore({ client });
    await store.createRun({ ...run, sessionId: 's2' });
    await store.append('s2', { entries: [{ kind: 'event', data: 1 }], nowMs: 1 });
    const abort = new AbortController();
    const records = store.follow('s2', { afterSeq: 0, signal: abort.signal })[Symbol.asyncIterator]();
    await records.next();
    const asked = vi.spyOn(client, 'evalshaBuffer');
    const next = records.next();
    await expect.poll(() => asked.mock.settledResults).toMatchObject([{ type: 'fulfilled' }]);
    abort.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(asked).toHaveBeenCalledOnce();
    const closing = vi.spyOn(ChannelSignal.prototype, 'close');
    onTestFinished(() => closing.mockRestore());
    await store.close();
    expect(closing).not.toHaveBeenCalled();
  });
});
