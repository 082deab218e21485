// Few web projects include this part of the standard library, so the published types reference it.
/// <reference lib="esnext.disposable" preserve="true" />
import type { EventEnvelope } from '@svc/contracts';

/**
 * The status of a stream:
 * `connecting` (no connection yet, or lost and retrying), `replaying` (connected and receiving missed events),
 * `open` (live), `waiting` (a turn has ended and the next one has not begun), `closed` (no more events).
 */
export type StreamStatus = 'connecting' | 'replaying' | 'open' | 'waiting' | 'closed';

/** A session's events as they arrive, over as many connections as needed. It can be iterated once. */
export interface EventStream extends AsyncIterable<EventEnvelope>, AsyncDisposable {
  /** The current status. */
  readonly status: StreamStatus;
  /** The cursor: the id of the last event delivered. Store it to resume in another page. */
  readonly lastEventId: string | undefined;
  /** The reason there is no connection at the moment; undefined while there is one. */
  readonly lastError: unknown;
  /** The number of frames skipped because they contained no readable event. */
  readonly malformedFrames: number;
  /** Calls the listener after every change of `status`. Returns a function that removes it. */
  onStatusChange(listener: () => void): () => void;
  /** Ends the iteration and the connection. Further calls do nothing. */
  close(): void;
}

/** Headers as `fetch` accepts them. */
export type RequestHeaders = NonNullable<RequestInit['headers']>;

/** Options of `openEventStream`. */
export interface EventStreamOptions {
  /** The URL of the stream, without credentials; a relative one is resolved as by `fetch`. */
  url: string | URL;
  /** The id of the event to resume after. @default none: the stored events of the current turn come first */
  lastEventId?: string | null | undefined;
  /**
   * Headers of every request. A function is called before each one, so a token can be fresh; if it fails, that counts as
   * a network failure. With headers, redirects are not followed, so that no other address receives them.
   */
  headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>) | null | undefined;
  /** The `fetch` to use. @default globalThis.fetch */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | null | undefined;
  /** Closes the stream when aborted; the iteration then ends without an error. */
  signal?: AbortSignal | null | undefined;
}
