import type { RawSSEEvent } from '@svc/contracts';

/** A raw event: a name and a decoded payload, such as a `StreamEvent` of a run. */
export interface RawEventInput {
  readonly name: string;
  readonly payload?: unknown;
}

/** Returns only the name and payload of a `StreamEvent`. An absent payload becomes an empty object. */
export function toRawSseEvent(streamEvent: RawEventInput): RawSSEEvent {
  return { name: streamEvent.name, payload: streamEvent.payload ?? {} };
}
