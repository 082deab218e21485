import type { EventEnvelope } from '@svc/contracts';
import type { StreamStatus } from '../connection/event-stream.js';

/** What tabs say to one another. */
export type TabMessage =
  /** A follower asks what came after its cursor. */
  | { readonly kind: 'hello'; readonly tab: string; readonly cursor: string | undefined }
  /** The leader answers it; without events when it does not hold them. */
  | {
      readonly kind: 'welcome';
      readonly tab: string;
      readonly events: readonly EventEnvelope[] | undefined;
      readonly status: StreamStatus;
      readonly lostBy: string | undefined;
    }
  /** The leader passes an event on, and says which one came before it. */
  | { readonly kind: 'event'; readonly event: EventEnvelope; readonly after: string | undefined }
  /** The leader is alive, and stands like this; it says in words why it has no connection. */
  | { readonly kind: 'status'; readonly status: StreamStatus; readonly lostBy: string | undefined }
  /** The session has ended, or the server refused the leader with this status. */
  | { readonly kind: 'end'; readonly refused: number | undefined };
