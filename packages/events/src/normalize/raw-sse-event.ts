import type { RawSSEEvent } from '@svc/contracts';

/** What the normalizer takes: a name and a decoded payload. A `StreamEvent` of a run is one. */
export interface RawEventInput {
  readonly name: string;
  readonly payload?: unknown;
}

/** The raw event of a `StreamEvent`: its name and its payload, nothing else. An absent payload is an empty object. */
export function toRawSseEvent(streamEvent: RawEventInput): RawSSEEvent {
  return { name: streamEvent.name, payload: streamEvent.payload ?? {} };
}
