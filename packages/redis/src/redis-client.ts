import type { Redis } from 'ioredis';

/**
 * The part of an ioredis client that is used here. The client stays the caller's: it is never closed, and the one
 * connection that waits for news is a duplicate of it.
 */
export type RedisClient = Pick<Redis, 'evalsha' | 'eval' | 'duplicate' | 'options'>;

/** Scripts that are answered in bytes. */
interface ByteScripts {
  evalshaBuffer(digest: string, keyCount: number, ...rest: (string | number)[]): Promise<unknown>;
  evalBuffer(source: string, keyCount: number, ...rest: (string | number)[]): Promise<unknown>;
}

/**
 * The driver has these, though its types leave them out. Its `callBuffer` is no substitute: it loses the name of the
 * command where `enableAutoPipelining` is set.
 */
export function hasByteScripts(client: RedisClient): client is RedisClient & ByteScripts {
  return 'evalshaBuffer' in client && 'evalBuffer' in client;
}
