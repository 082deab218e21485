import type { EventEnvelope } from '@svc/contracts';
import type { StreamStatus } from '../connection/event-stream.js';

/** The messages between tabs. */
export type TabMessage =
  /** A follower asks for the events after its cursor. */
  | { readonly kind: 'hello'; readonly id: string; readonly cursor: string | undefined }
  /** The leader answers the hello with this id, without events if it does not have them. */
  | {
      readonly kind: 'welcome';
      readonly id: string;
      readonly events: readonly EventEnvelope[] | undefined;
      readonly status: StreamStatus;
      readonly lostBy: string | undefined;
    }
  /** The leader forwards an event, with the id of the one before it. */
  | { readonly kind: 'event'; readonly event: EventEnvelope; readonly after: string | undefined }
  /** The leader is alive and has this status; `lostBy` describes why it has no connection. */
  | { readonly kind: 'status'; readonly status: StreamStatus; readonly lostBy: string | undefined }
  /** The session has ended, or the server refused the leader with this status. */
  | { readonly kind: 'end'; readonly refused: number | undefined };
