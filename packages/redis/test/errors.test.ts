import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { toRedisError } from '../src/errors.js';

it.each([
  'MOVED 15495 127.0.0.1:6380',
  'ASK 15495 127.0.0.1:6380',
  "CROSSSLOT Keys in request don't hash to the same slot",
])('reports %s as an unsupported Redis Cluster', (words) => {
  expect(toRedisError('open a session', new Error(words))).toMatchObject({
    code: 'REDIS_FAILED',
    message: expect.stringContaining('Redis Cluster, which is not supported'),
  });
});

it.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", 'REDIS_OUT_OF_MEMORY'],
  // Redis 6.2 reports a command that failed inside a script like this.
  [
    'ERR Error running script (call to f_d1): @user_script:3: -OOM command not allowed',
    'REDIS_OUT_OF_MEMORY',
  ],
  ["READONLY You can't write against a read only replica.", 'REDIS_READ_ONLY'],
  [
    "ERR Error running script (call to f_d1): @user_script:3: -READONLY You can't write against a read only replica.",
    'REDIS_READ_ONLY',
  ],
  ["NOPERM User x$& has no permissions to run the 'get' command", 'REDIS_NOT_PERMITTED'],
  ["The user executing the script can't run this command or subcommand", 'REDIS_NOT_PERMITTED'],
  ["ERR ACL failure in script: User x has no permissions to run the 'hset' command", 'REDIS_NOT_PERMITTED'],
  ['NOAUTH Authentication required.', 'REDIS_NOT_PERMITTED'],
  ['WRONGPASS invalid username-password pair', 'REDIS_NOT_PERMITTED'],
  ['MISCONF Redis is configured to save RDB snapshots', 'REDIS_FAILED'],
  ['LOADING Redis is loading the dataset in memory', 'REDIS_UNAVAILABLE'],
  ['NOREPLICAS Not enough good replicas to write. script: d1, on @user_script:1.', 'REDIS_UNAVAILABLE'],
  ['BUSY Redis is busy running a script.', 'REDIS_UNAVAILABLE'],
  ['CLUSTERDOWN The cluster is down', 'REDIS_UNAVAILABLE'],
  ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", 'REDIS_UNAVAILABLE'],
  ['TRYAGAIN Multiple keys request during rehashing of slot', 'REDIS_UNAVAILABLE'],
  ['Connection is closed.', 'REDIS_UNAVAILABLE'],
  ['Reached the max retries per request limit (which is 20).', 'REDIS_UNAVAILABLE'],
  ["Stream isn't writeable and enableOfflineQueue options is false", 'REDIS_UNAVAILABLE'],
  ['Command aborted due to connection close', 'REDIS_UNAVAILABLE'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'REDIS_UNAVAILABLE'],
  ['read ECONNRESET', 'REDIS_UNAVAILABLE'],
  ['write EPIPE', 'REDIS_UNAVAILABLE'],
  ['connect ETIMEDOUT', 'REDIS_UNAVAILABLE'],
  ['connect EHOSTUNREACH 10.0.0.1:6379', 'REDIS_UNAVAILABLE'],
  ['connect ENETUNREACH 10.0.0.1:6379', 'REDIS_UNAVAILABLE'],
  ['getaddrinfo ENOTFOUND redis', 'REDIS_UNAVAILABLE'],
  ['getaddrinfo EAI_AGAIN redis', 'REDIS_UNAVAILABLE'],
  ["Socket timeout. Expecting data, but didn't receive any in 5000ms.", 'REDIS_UNAVAILABLE'],
  ['All sentinels are unreachable and retry is disabled.', 'REDIS_UNAVAILABLE'],
  ['Command timed out', 'REDIS_UNAVAILABLE'],
  ['WRONGTYPE Operation against a key holding the wrong kind of value', 'REDIS_FAILED'],
])('converts %s to %s, without the command that the driver attaches', (words, code) => {
  const given = Object.assign(new Error(words), { command: { name: 'set', args: ['canary-4711'] } });
  const error = toRedisError('append an event', given);
  expect(error).toMatchObject({ name: 'RedisError', code, cause: { message: words, stack: given.stack } });
  expect(error.message).toMatch(/^Redis could not append an event: ./);
  expect(error.cause).not.toHaveProperty('command');
  expect(toRedisError('do more', error)).toBe(error);
});

it.each([
  'WRONGTYPE Operation against a key holding the wrong kind of value script: d1, on @user_script:2.',
  'ERR Error running script (call to f_d1): @user_script:3: WRONGTYPE Operation against a key',
])('says what is wrong for %s, because a log may have the message without its cause', (words) => {
  expect(toRedisError('list documents', new Error(words))).toMatchObject({
    code: 'REDIS_FAILED',
    message: 'Redis could not list documents: a key holds data of another type; repair or remove it',
  });
});

it('leaves out the arguments that a server repeats when it rejects an unknown command', () => {
  const words =
    "ERR unknown command 'evalsha', with args beginning with: 'd' '1' 'canary-4711' 'canary-$&'\n'canary'";
  const error = toRedisError('append an event', new Error(words));
  expect(error).toMatchObject({ cause: { message: "ERR unknown command 'evalsha'" } });
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('canary');
});
