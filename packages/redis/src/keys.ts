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

/** Makes the key names of sessions. Channels get the client's own prefix, which it adds to keys alone. */
export function sessionKeys(prefix: string, clientPrefix: string): (sessionId: string) => SessionKeys {
  return (sessionId) => {
    const base = `${prefix}{${encodeURIComponent(sessionId.toWellFormed())}}`;
    return { state: `${base}:state`, stream: `${base}:events`, channel: `${clientPrefix}${base}:news` };
  };
}
