import { expect, it, vi } from 'vitest';
import type { RedisClient } from '../src/redis-client.js';
import { RedisScript } from '../src/redis-script.js';

it.each([
  ['a connection that was lost', 'Connection is closed.', 'REDIS_UNAVAILABLE'],
  ['a failure in the script', 'ERR Error running script', 'REDIS_FAILED'],
])('runs a script only once after %s, because it may have taken effect', async (_, words, code) => {
  const evaluate = vi.fn(() => Promise.resolve('done'));
  const client = { evalsha: () => Promise.reject(new Error(words)), eval: evaluate };
  const script = new RedisScript('append an event', 'return 1');
  await expect(script.run(client as unknown as RedisClient, { keys: [] })).rejects.toMatchObject({ code });
  expect(evaluate).not.toHaveBeenCalled();
});
