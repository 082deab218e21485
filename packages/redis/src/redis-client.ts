import type { Redis } from 'ioredis';

/**
 * The part of an ioredis client that is used here. The client stays the caller's: it is never closed, and the one
 * connection that waits for news is a duplicate of it.
 */
export type RedisClient = Pick<Redis, 'evalsha' | 'eval' | 'callBuffer' | 'duplicate' | 'options'>;
