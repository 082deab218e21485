import { inspect } from 'node:util';
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

  it.each([
    '',
    'secret-4711',
    '1 1 1 - w.1\nsecret-4711',
    'x 1 1 - w.1\n1',
    '-1 1 1 - w.1\n1',
    '1 x 1 - w.1\n1',
    '1 1 1e300 - w.1\n1',
    '1 1 1 x w.1\n1',
  ])('refuses to read a document stored as %j, and replaces it when it is written', async (stored) => {
    const client = server.client();
    await using store = redisRunStore({ client, prefix: 'malformed:' });
    const place = { projectId: 'p', collection: 'c', id: 'd' };
    await store.putDocument({ ...place, value: 1, nowMs: 1 });
    await client.hset('malformed:{runs}:documents:["p","c"]', 'd', stored);
    const list = () => store.listDocuments({ ...place, nowMs: 2, limit: 5 });
    const reason = { code: 'DOCUMENT_UNREADABLE', details: { collection: 'c', id: 'd' } };
    for (const outcome of await Promise.allSettled([store.readDocument(place, 2), list()])) {
      expect(outcome).toMatchObject({ status: 'rejected', reason });
      expect(inspect(outcome, { depth: 20, showHidden: true })).not.toContain('4711');
    }
    expect(await store.putDocument({ ...place, value: 2, nowMs: 2, ifVersion: 0 })).toBeUndefined();
    await store.putDocument({ ...place, value: 3, nowMs: 2 });
    expect(await list()).toMatchObject([{ ...place, value: 3 }]);
    await store.deleteDocument(place);
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
