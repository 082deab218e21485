import type { Redis } from 'ioredis';

/**
 * The part of an ioredis client that this package uses. The client is never closed; the connection that listens for
 * changes is a duplicate of it.
 */
export type RedisClient = Pick<Redis, 'evalsha' | 'eval' | 'duplicate' | 'options'>;

/** Script commands whose replies are bytes. */
interface ByteScripts {
  evalshaBuffer(digest: string, keyCount: number, ...rest: (string | number)[]): Promise<unknown>;
  evalBuffer(source: string, keyCount: number, ...rest: (string | number)[]): Promise<unknown>;
}

/**
 * ioredis has these methods, although its types leave them out. Its `callBuffer` is not a substitute: it loses the command's
 * name if `enableAutoPipelining` is set.
 */
export function hasByteScripts(client: RedisClient): client is RedisClient & ByteScripts {
  return 'evalshaBuffer' in client && 'evalBuffer' in client;
}
