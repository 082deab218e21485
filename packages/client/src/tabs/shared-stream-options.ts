import type { EventStreamOptions } from '../connection/event-stream.js';

/** Options of `openSharedEventStream`. */
export interface SharedStreamOptions extends Pick<EventStreamOptions, 'url' | 'lastEventId' | 'signal'> {
  /** Identifies the user, for example by id: tabs of different users share nothing. Not a secret. */
  identity: string;
}
