import type { RedisClient } from '../src/redis-client.js';
import { Cluster } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { redisEventLog, redisRunStore } from '../src/index.js';

/** The part of a client that is used before the first command. */
const client = { options: {}, evalsha: async () => null } as unknown as RedisClient;

describe.each([
  ['redisEventLog', redisEventLog],
  ['redisRunStore', redisRunStore],
])('%s', (_, create) => {
  it.each([
    ['client', undefined],
    ['client', null],
    ['client', 'redis://127.0.0.1'],
    ['client', {}],
    ['client', { client: null }],
    ['client', { client: 'redis://127.0.0.1' }],
    ['prefix', { client, prefix: 5 }],
    ['prefix', { client, prefix: Object.create(null) }],
    ['expireAfter', { client, expireAfter: 60_000 }],
  ])('names the option %s in the error for %j', (name, options) => {
    // @ts-expect-error none of these compiles
    expect(() => create(options)).toThrow(
      new RegExp(`^(options must be an object with a |\\w+: unknown option ')?${name}\\b`),
    );
  });

  it('does not repeat a URL in the error, because it may contain a password', () => {
    // @ts-expect-error a URL is not an options object
    expect(() => create('redis://:canary-4711@127.0.0.1')).toThrow(
      new TypeError('options must be an object with a client, got string'),
    );
  });

  it.each([
    [{}, 'undefined'],
    [{ client: null }, 'null'],
    [{ client: {} }, 'object'],
    [{ client: 'redis://:canary-4711@127.0.0.1' }, 'string'],
  ])('says what was given instead of a client in %j', (options, given) => {
    // @ts-expect-error none of these compiles
    expect(() => create(options)).toThrow(new TypeError(`client must be an ioredis client, got ${given}`));
  });

  it('lists the known options when it rejects an unknown one', () => {
    // @ts-expect-error it does not compile
    expect(() => create({ client, expireAfter: 60_000 })).toThrow(
      /^\w+: unknown option 'expireAfter'\. Known options: client, prefix\b/,
    );
  });

  it('rejects a cluster client', () => {
    const cluster = new Cluster([{ port: 1 }], { lazyConnect: true });
    // @ts-expect-error it does not compile
    expect(() => create({ client: cluster })).toThrow(/^client .*Cluster is not supported/);
  });

  it('accepts a client and a prefix, which may be empty or null', async () => {
    await create({ client, prefix: '' }).close();
    // @ts-expect-error not in the types, but null counts as absent
    await create({ client, prefix: null }).close();
  });
});

it('redisEventLog rejects a createEpoch that is not a function', () => {
  expect(() => redisEventLog({ client, createEpoch: 5 as never })).toThrow(/^createEpoch must be/);
});

it.each([
  ['expireAfterMs', 0],
  ['expireAfterMs', 1.5],
  ['maxEventsPerSession', 0],
  ['maxEventsPerSession', Number.NaN],
  ['maxEventsPerSession', Object.create(null), 'object'],
])('%s rejects %o, because it must be a whole number of at least 1', async (name, value, given = value) => {
  expect(() => redisEventLog({ client, [name]: value })).toThrow(
    new RangeError(`${name} must be a whole number of at least 1, got ${given}`),
  );
  await redisEventLog({ client, [name]: 1 }).close();
});

it('rejects a client without byte replies on the first read that needs them', async () => {
  await using log = redisEventLog({ client });
  await expect(log.readAfter('s1', { afterSeq: 0 })).rejects.toThrow(/^client must be an ioredis client/);
});
