import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** Why Redis did not do what it was asked. */
export type RedisErrorCode =
  | 'REDIS_UNAVAILABLE'
  | 'REDIS_OUT_OF_MEMORY'
  | 'REDIS_READ_ONLY'
  | 'REDIS_NOT_PERMITTED'
  | 'REDIS_FAILED';

/** Redis could not be reached, or refused. What it was sent stands neither in the error nor in its cause. */
export class RedisError extends MaivnSDKError {
  declare readonly code: RedisErrorCode;
}

/** What the server's or client's own words begin with, what it is called here, and what to do. */
const refusals: readonly [RegExp, RedisErrorCode, string][] = [
  [
    /^OOM\b|\bOOM command not allowed/,
    'REDIS_OUT_OF_MEMORY',
    'its memory limit is reached: raise maxmemory or keep less',
  ],
  [/^READONLY\b|read only replica/, 'REDIS_READ_ONLY', 'it is a replica: connect to the primary'],
  [
    /^NOPERM\b|The user executing the script can't|ACL failure in script/,
    'REDIS_NOT_PERMITTED',
    'the user has no right to do this',
  ],
  [/^NOAUTH\b|^WRONGPASS\b/, 'REDIS_NOT_PERMITTED', 'it does not admit this client: check user and password'],
  [
    /^MOVED\b|^ASK\b|^CROSSSLOT\b/,
    'REDIS_FAILED',
    'it is one of a Redis Cluster, which is not supported: connect to a server that holds everything',
  ],
  [/^MISCONF\b/, 'REDIS_FAILED', 'it cannot write to its disk'],
  [
    /^LOADING\b|^CLUSTERDOWN\b|^MASTERDOWN\b|^TRYAGAIN\b|^NOREPLICAS\b|^BUSY\b/,
    'REDIS_UNAVAILABLE',
    'it is not ready yet: try again',
  ],
  [
    /Connection is closed|max retries per request|enableOfflineQueue|aborted due to connection|timed? ?out|unreach|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN/i,
    'REDIS_UNAVAILABLE',
    'the connection is lost: what was in flight may or may not have happened',
  ],
];

/** An error of the driver or the server in words of this package, without the arguments the driver attaches. */
export function toRedisError(action: string, error: unknown): RedisError {
  if (error instanceof RedisError) return error;
  const words = error instanceof Error ? error.message : String(error);
  const [, code = 'REDIS_FAILED', advice = 'see the cause'] =
    refusals.find(([pattern]) => pattern.test(words)) ?? [];
  // Of a command that it does not know, the server repeats what it was sent.
  const withoutArguments = words.replace(/, with args beginning with:.*/s, '');
  const cause = new Error(withoutArguments);
  if (error instanceof Error && error.stack !== undefined)
    cause.stack = error.stack.replace(words, () => withoutArguments);
  return redisError(`Redis could not ${action}: ${advice}`, code, cause);
}

/** Makes an error with one of this package's codes. */
export function redisError(message: string, code: RedisErrorCode, cause?: unknown): RedisError {
  return new RedisError(message, { code, cause });
}
