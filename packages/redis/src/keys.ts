import type { RedisClient } from './redis-client.js';

/** The default prefix of all keys. */
export const DEFAULT_PREFIX = 'svc:';

/** The names of a session's keys and its channel. All share one hash tag. */
export interface SessionKeys {
  /** A hash: the writers, the newest sequence number, the turn, the checkpoint. */
  readonly state: string;
  /** A stream: one entry per event, with the sequence number as its id. */
  readonly stream: string;
  /** A channel that announces new entries to followers. */
  readonly channel: string;
}

/**
 * Returns a function that names a session's keys. Channel names include the client's `keyPrefix`, which ioredis adds only to
 * keys, and its database number, because a server's databases share their channels.
 */
export function sessionKeys(
  prefix: string,
  { keyPrefix = '', db = 0 }: Pick<RedisClient['options'], 'keyPrefix' | 'db'>,
): (sessionId: string) => SessionKeys {
  const news = db === 0 ? 'news' : `news:${db}`;
  return (sessionId) => {
    const base = `${prefix}{${encodeURIComponent(sessionId.toWellFormed())}}`;
    return { state: `${base}:state`, stream: `${base}:events`, channel: `${keyPrefix}${base}:${news}` };
  };
}
