import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** Why an operation on Redis failed. */
export type RedisErrorCode =
  | 'REDIS_UNAVAILABLE'
  | 'REDIS_OUT_OF_MEMORY'
  | 'REDIS_READ_ONLY'
  | 'REDIS_NOT_PERMITTED'
  | 'REDIS_FAILED';

/** Redis could not be reached or refused a command. Neither the error nor its cause contains the data that was sent. */
export class RedisError extends MaivnSDKError {
  declare readonly code: RedisErrorCode;
}

/** Patterns of server and client messages, with the code and the explanation of each. */
const refusals: readonly [RegExp, RedisErrorCode, string][] = [
  [
    /^OOM\b|\bOOM command not allowed/,
    'REDIS_OUT_OF_MEMORY',
    'it has reached its memory limit; raise maxmemory or store less',
  ],
  [/^READONLY\b|read only replica/, 'REDIS_READ_ONLY', 'it is a replica; connect to the primary'],
  [
    /^NOPERM\b|The user executing the script can't|ACL failure in script/,
    'REDIS_NOT_PERMITTED',
    'the user lacks a permission for this',
  ],
  [/^NOAUTH\b|^WRONGPASS\b/, 'REDIS_NOT_PERMITTED', 'authentication failed; check the user and password'],
  [
    /^MOVED\b|^ASK\b|^CROSSSLOT\b/,
    'REDIS_FAILED',
    'it is part of a Redis Cluster, which is not supported; connect to a server outside a cluster',
  ],
  [/^MISCONF\b/, 'REDIS_FAILED', 'it cannot write to its disk'],
  [/\bWRONGTYPE\b/, 'REDIS_FAILED', 'a key holds data of another type; repair or remove it'],
  [
    /^LOADING\b|^CLUSTERDOWN\b|^MASTERDOWN\b|^TRYAGAIN\b|^NOREPLICAS\b|^BUSY\b/,
    'REDIS_UNAVAILABLE',
    'it is not ready; try again',
  ],
  [
    /Connection is closed|max retries per request|enableOfflineQueue|aborted due to connection|timed? ?out|unreach|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN/i,
    'REDIS_UNAVAILABLE',
    'it cannot be reached, or the connection was lost; commands in flight may or may not have run',
  ],
];

/** Converts an error of the driver or the server to a `RedisError`, without the arguments that the driver attaches. */
export function toRedisError(action: string, error: unknown): RedisError {
  if (error instanceof RedisError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const [, code = 'REDIS_FAILED', advice = 'see the cause'] =
    refusals.find(([pattern]) => pattern.test(message)) ?? [];
  // For an unknown command, the server repeats what it was sent.
  const withoutArguments = message.replace(/, with args beginning with:.*/s, '');
  const cause = new Error(withoutArguments);
  if (error instanceof Error && error.stack !== undefined)
    cause.stack = error.stack.replace(message, () => withoutArguments);
  return redisError(`Redis could not ${action}: ${advice}`, code, cause);
}

/** Creates an error with one of this package's codes. */
export function redisError(message: string, code: RedisErrorCode, cause?: unknown): RedisError {
  return new RedisError(message, { code, cause });
}

/** The stored data of a session is malformed. Has no cause, which could repeat parts of it. */
export function sessionMalformed(sessionId: string): RedisError {
  const message = `The stored data of session '${sessionId}' is malformed. Repair or remove it, then open the session again`;
  return redisError(message, 'REDIS_FAILED');
}
