import type { EventEnvelope } from '@svc/contracts';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { adaptIdleTimeout } from './adapt-idle-timeout.js';
import { backOffMs, firstBytesMs, nextTurnMs, pageLeftMs, responseMs, retryAfterMs } from './back-off.js';
import { decodeEnvelope } from './decode-envelope.js';
import type { EventStream, EventStreamOptions, StreamStatus } from './event-stream.js';
import { notify } from './notify.js';
import { page } from '../page.js';
import { requestStream, streamOf } from './request-stream.js';
import { rememberIds } from './remember-ids.js';
import { text } from '../read-data.js';
import { StreamRefusedError } from './stream-refused-error.js';

/** Events that tell a page that it is being left, or that a retry may succeed now. */
const pageEvents = ['visibilitychange', 'pagehide', 'pageshow', 'online'];

/** The reading side of one event stream: connects, reads, and reconnects with the cursor until the session ends. */
export class Connection implements EventStream {
  readonly #options: EventStreamOptions;
  readonly #listeners = new Set<() => void>();
  readonly #isNew = rememberIds();
  readonly #events = this.#run();
  #request: AbortController | undefined;
  #endWait: (() => void) | undefined;
  #endPause: (() => void) | undefined;
  #isPageLeft = false;
  #betweenTurns = false;
  #failures = 0;
  #retryMs = 1_000;
  #idleTimeoutMs = 60_000;
  /** When the last heartbeat arrived; NaN before the first one of a connection. */
  #lastBeatAt!: number;
  status: StreamStatus = 'connecting';
  lastEventId: string | undefined;
  lastError: unknown;
  malformedFrames = 0;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.lastEventId = text(options.lastEventId);
    // Without a cursor nothing is marked: an event without an id is always new.
    this.#isNew(this.lastEventId ?? '');
    // A generator's own `return` waits for the pending pull, perhaps for an event that is hours away.
    this.#events.return = () => this.#events.next(this.close());
  }

  readonly close = (): void => {
    this.#setStatus('closed');
    this.#options.signal?.removeEventListener('abort', this.close);
    for (const type of pageEvents) page.removeEventListener?.(type, this.#handlePageEvent);
    this.#request?.abort();
    this.#endWait?.();
  };

  onStatusChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  [Symbol.asyncIterator](): AsyncIterator<EventEnvelope, void> {
    return this.#events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  async *#run(): AsyncGenerator<EventEnvelope, void> {
    this.#options.signal?.addEventListener('abort', this.close);
    for (const type of pageEvents) page.addEventListener?.(type, this.#handlePageEvent);
    if (this.#options.signal?.aborted) this.close();
    try {
      while (this.status !== 'closed') {
        let delayMs = 0;
        this.#failures++;
        this.#request = new AbortController();
        try {
          const response = await this.#waitFor(
            requestStream(this.#options, this.lastEventId, this.#request.signal),
            responseMs,
          );
          if (response.status === 204) return;
          const body = streamOf(response);
          if (body) yield* this.#read(body);
          else {
            this.lastError = new StreamRefusedError(response.status, '');
            delayMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
          }
        } catch (error) {
          if (error instanceof StreamRefusedError) throw error;
          // Network failures are expected: they are kept in `lastError`, and retried.
          this.lastError = error;
          // If it was silent, the timeout may be too short for this server: no heartbeat would ever be awaited.
          this.#idleTimeoutMs = 60_000;
        }
        this.#request.abort();
        await this.#pause(delayMs);
      }
    } finally {
      this.close();
    }
  }

  async *#read(body: ReadableStream<Uint8Array>): AsyncGenerator<EventEnvelope, void> {
    let cursor = this.lastEventId;
    const envelopes: EventEnvelope[] = [];
    // The parser removes one byte order mark, as the format requires; the decoder must not remove another.
    const decoder = new TextDecoder(undefined, { ignoreBOM: true });
    const parser = createParser({
      // The largest frame to read, in characters. The parser fails after a larger one.
      maxBufferSize: 2 ** 24,
      onId: (id) => (cursor = id),
      onEvent: (frame) => this.#addEvent(frame, envelopes),
      onComment: (comment) => this.#handleComment(comment),
      onRetry: (retryMs) => (this.#retryMs = retryMs),
    });
    this.lastError = undefined;
    // The time without a connection is not an interval between heartbeats.
    this.#lastBeatAt = NaN;
    const reader = body.getReader();
    let next = reader.read();
    // The first bytes may announce a replay; without this wait a page would first be shown as open and empty.
    await this.#waitFor(next, firstBytesMs).catch(() => this.#goLive());
    try {
      for (;;) {
        const { done, value } = await this.#waitFor(next);
        if (done) return;
        parser.feed(decoder.decode(value, { stream: true }));
        if (this.status !== 'replaying') this.#goLive();
        for (const envelope of envelopes.splice(0)) {
          this.lastEventId = envelope.id || this.lastEventId;
          yield envelope;
          if (envelope.type === 'session_end') this.close();
          if (this.status === 'closed') return;
        }
        this.lastEventId = cursor;
        next = reader.read();
      }
    } finally {
      // No one is left to be notified of a failure.
      reader.cancel().catch(() => undefined);
    }
  }

  /** Adds the event in a frame to `envelopes`, if there is one and it is new. */
  #addEvent(frame: EventSourceMessage, envelopes: EventEnvelope[]): void {
    const envelope = decodeEnvelope(frame);
    if (!envelope) {
      this.malformedFrames++;
      return;
    }
    const { type, id } = envelope;
    // A gap's id is the cursor before the next event, not its own.
    if (type !== 'stream_gap') {
      if (id && !this.#isNew(id)) return;
      this.#betweenTurns = type === 'final' || type === 'error';
    }
    envelopes.push(envelope);
    this.#failures = 0;
  }

  /** Reads comments: our route marks the start and end of a replay with them. Every other comment is a heartbeat. */
  #handleComment(comment: string): void {
    if (comment === 'replay') this.#setStatus('replaying');
    else if (comment === 'live') this.#goLive();
    else {
      this.#idleTimeoutMs = adaptIdleTimeout(this.#idleTimeoutMs, Date.now() - this.#lastBeatAt);
      this.#failures = 0;
      this.#lastBeatAt = Date.now();
    }
  }

  /** Waits before the next connection: briefly after the end of a turn, and longer after each failed connection. */
  async #pause(minimumMs: number): Promise<void> {
    const isTurnEnd = this.#betweenTurns && !this.#failures;
    // A replay ends with each turn. The turns after it were missed too: they belong to the same replay.
    if (isTurnEnd && this.status === 'replaying' && !this.#isPageLeft) return;
    this.#setStatus(isTurnEnd ? 'waiting' : 'connecting');
    const jitterMs = backOffMs(this.#failures, isTurnEnd ? nextTurnMs : this.#retryMs, Math.random());
    const pause = new Promise<void>((resolve) => (this.#endPause = minimumMs ? undefined : resolve));
    const waitMs = this.#isPageLeft ? pageLeftMs : minimumMs + jitterMs;
    this.#isPageLeft = false;
    await this.#waitFor(pause, waitMs).then(
      () => (this.#failures = 0),
      () => undefined,
    );
  }

  /** Retries when that may succeed, and closes the connection of a page that is left. */
  readonly #handlePageEvent = ({ type }: Event): void => {
    if (type === 'visibilitychange' && page.document?.hidden) return;
    this.#isPageLeft = type === 'pagehide';
    // A connection of the previous network may be dead without being closed.
    if (type === 'online' || this.#isPageLeft) this.#request?.abort();
    if (!this.#isPageLeft) this.#endPause?.();
  };

  /** Returns the outcome of a wait, which fails when the stream is closed or has been silent for too long. */
  #waitFor<Value>(wait: Promise<Value>, timeoutMs = this.#idleTimeoutMs): Promise<Value> {
    let timer: ReturnType<typeof setTimeout>;
    const end = new Promise<never>((_, reject) => {
      // Not every custom fetch observes its signal.
      this.#endWait = () => reject(new Error(`No data for ${timeoutMs} ms`));
      // After `close()`, nothing else would end the wait.
      if (this.status === 'closed') this.#endWait();
      timer = setTimeout(this.#endWait, timeoutMs);
    });
    return Promise.race([wait, end]).finally(() => clearTimeout(timer));
  }

  #goLive(): void {
    this.#setStatus(this.#betweenTurns ? 'waiting' : 'open');
  }

  #setStatus(status: StreamStatus): void {
    if (status === this.status || this.status === 'closed') return;
    this.status = status;
    notify(this.#listeners);
  }
}
