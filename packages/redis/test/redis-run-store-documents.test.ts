import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisRunStore } from '../src/index.js';
import { hasRedis, RedisServer } from './redis-server.js';

describe.skipIf(!hasRedis)('documents and counters of redisRunStore', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  it('lists a collection without a document that was removed by hand', async () => {
    const client = server.client();
    await using store = redisRunStore({ client });
    const place = { projectId: 'p', collection: 'c' };
    for (const id of ['a', 'b', 'c']) await store.putDocument({ ...place, id, value: id, nowMs: 1 });
    await client.hdel('svc:{runs}:documents:["p","c"]', 'b');
    const listed = await store.listDocuments({ ...place, nowMs: 1, limit: 5 });
    expect(listed.map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('restarts an expired counter without the fields of its earlier writers', async () => {
    const client = server.client();
    await using first = redisRunStore({ client });
    await using second = redisRunStore({ client });
    const fields = () => client.hlen('svc:{runs}:counter:n');
    for (const store of [first, second]) await store.increment('n', 1, { nowMs: 1, expiresAtMs: 10 });
    expect(await fields()).toBe(4);
    expect(await second.increment('n', 1, { nowMs: 10, expiresAtMs: 20 })).toBe(1);
    expect(await fields()).toBe(3);
  });
});
