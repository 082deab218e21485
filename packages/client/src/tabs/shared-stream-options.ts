import type { EventStreamOptions } from '../connection/event-stream.js';

/** How to reach an event stream together with other tabs. */
export interface SharedStreamOptions extends Pick<EventStreamOptions, 'url' | 'lastEventId' | 'signal'> {
  /** Who reads, such as the id of the user: tabs of different users share nothing. Not a secret. */
  identity: string;
}
