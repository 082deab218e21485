import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisRunStore } from '../src/index.js';
import { hasRedis, RedisServer } from './redis-server.js';

describe.skipIf(!hasRedis)('who follows a run of redisRunStore', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  const run = { projectId: 'p', keyId: 'k', labels: {}, request: null, owner: 'a', nowMs: 1, leaseMs: 1 };

  it('is given a long journal a few records at a time, as each can be large', async () => {
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
});
