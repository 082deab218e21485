import { expect, it } from 'vitest';
import { toRedisError } from '../src/errors.js';

it.each([
  'MOVED 15495 127.0.0.1:6380',
  'ASK 15495 127.0.0.1:6380',
  "CROSSSLOT Keys in request don't hash to the same slot",
])('says of %s that a cluster is not supported', (words) => {
  expect(toRedisError('open a session', new Error(words))).toMatchObject({
    code: 'REDIS_FAILED',
    message: expect.stringContaining('Redis Cluster, which is not supported'),
  });
});
