import type { RedisClient } from './redis-client.js';

/** What every key begins with, unless the caller says otherwise. */
export const DEFAULT_PREFIX = 'svc:';

/** Where a session's events are. All share a hash tag, so that a cluster keeps them together. */
export interface SessionKeys {
  /** A hash: who writes, how far, the turn, the checkpoint. */
  readonly state: string;
  /** A stream: one entry per event, its id is the sequence number. */
  readonly stream: string;
  /** A channel: what is new, for those who follow. */
  readonly channel: string;
}

/**
 * Makes the key names of sessions. Channels get the client's own prefix, which it adds to keys alone, and its database,
 * because a server has one set of channels for all of them.
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
