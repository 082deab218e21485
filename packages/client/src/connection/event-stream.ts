// A page's project seldom has this part of the language's library, so the published types bring it.
/// <reference lib="esnext.disposable" preserve="true" />
import type { EventEnvelope } from '@svc/contracts';

/**
 * Where a stream stands:
 * `connecting` (no connection yet, or lost and trying again), `replaying` (connected, and what was missed is coming),
 * `open` (live), `waiting` (a turn has ended and the next one has not begun), `closed` (nothing more will come).
 */
export type StreamStatus = 'connecting' | 'replaying' | 'open' | 'waiting' | 'closed';

/** A session's events as they come, over as many connections as it takes. It can be iterated once. */
export interface EventStream extends AsyncIterable<EventEnvelope>, AsyncDisposable {
  /** Where it stands now. */
  readonly status: StreamStatus;
  /** The cursor: the id of the last event that was handed out. Store it to resume in another page. */
  readonly lastEventId: string | undefined;
  /** Why there is no connection at the moment; undefined while there is one. */
  readonly lastError: unknown;
  /** How many frames held no event that could be read. They were skipped. */
  readonly malformedFrames: number;
  /** Calls the listener after every change of `status`. The answer takes it off again. */
  onStatusChange(listener: () => void): () => void;
  /** Ends the iteration and the connection. Closing twice is fine. */
  close(): void;
}

/** Headers as `fetch` takes them. */
export type RequestHeaders = NonNullable<RequestInit['headers']>;

/** How to reach an event stream. */
export interface EventStreamOptions {
  /** The address of the stream; a relative one is resolved against the page. */
  url: string | URL;
  /** The cursor to resume after. Without one, all that the server holds of the current turn comes first. */
  lastEventId?: string | null | undefined;
  /** Headers of every request. A function is asked again before each one, so a token can be fresh. With headers no redirect is followed: they are for this address. */
  headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>) | null | undefined;
  /** @default globalThis.fetch */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | null | undefined;
  /** Ends the stream. The iteration then ends without an error. */
  signal?: AbortSignal | null | undefined;
}
