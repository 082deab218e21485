import { parseEventId } from '../log/event-id.js';
import { lastSeqOf, slicePage, type LogPage } from '../log/log-page.js';
import { callListener } from './call-listener.js';
import type { StartingPoint } from './cursor.js';
import { firstPositionOf, lastIdOf, skipParts } from './frame-bytes.js';
import { GapNotice } from './gap-notice.js';
import type { LiveBound } from './live-bound.js';
import type { Room } from './room.js';
import type { SessionView, ViewEnd } from './session-view.js';

/** The options of a reader. */
export interface EventReaderOptions extends StartingPoint {
  readonly view: SessionView;
  readonly room: Room;
  /** The newest entry in the log's answer. The view may have received more since. */
  readonly headSeq: number;
  /** The epoch of its writer; undefined if there is none. */
  readonly epoch: string | undefined;
  readonly bound: LiveBound | undefined;
  /** Called with the number of entries dropped for this reader. */
  readonly onDrop: (count: number) => void;
}

/**
 * One reader of a session: a cursor on its log. It returns whole frames as bytes, as many at once as are available. It
 * only reads on demand: a slow socket keeps a position in the log, not a queue of events.
 *
 * @example
 * for (let bytes = reader.read(); bytes; bytes = reader.read()) if (!socket.write(bytes)) break;
 */
export class EventReader implements AsyncDisposable {
  /** Whether the log had the session when the reader was opened. */
  readonly hasSession: boolean;
  readonly #options: EventReaderOptions;
  readonly #notice: GapNotice;
  #afterSeq: number;
  #seenParts: number;
  #headSeq: number;
  #fetched: LogPage | undefined;
  #fetching: Promise<void> | undefined;
  #lastBytes: Uint8Array | undefined;
  #listener: (() => void) | undefined;
  #onFinish: (() => void) | undefined;
  #hasNews = true;
  #isLast = false;
  #isEnded = false;
  #failure: unknown;

  /** @internal Use `bridge.openReader()`. */
  constructor(options: EventReaderOptions) {
    this.#options = options;
    this.hasSession = options.epoch !== undefined;
    this.#afterSeq = options.afterSeq;
    this.#seenParts = options.skippedParts;
    this.#headSeq = Math.max(options.headSeq, options.view.headSeq);
    this.#notice = new GapNotice(options.gap, options.cursor);
    options.room.enter(this);
    options.view.attach(this, options.headSeq);
  }

  /** @internal The last log entry it has returned or passed over. */
  get afterSeq(): number {
    return this.#afterSeq;
  }

  /** Whether the turn or session has ended for this reader, or it was closed; `read` then returns undefined. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether it has returned everything known to be in the log; what it reads next is new. */
  get isCaughtUp(): boolean {
    return !this.#notice.isReady && !this.#hasWaiting;
  }

  /** The error that ended it, if the log could not be reached. */
  get failure(): unknown {
    return this.#failure;
  }

  /** The id of the last returned event; undefined if there was none. */
  get lastEventId(): string | undefined {
    return this.#lastBytes && lastIdOf(this.#lastBytes);
  }

  /**
   * Returns the available frames as bytes, which are shared with other readers and must not be changed. Returns undefined
   * if there are none: unless `isEnded`, wait for `onReadable` and read again.
   */
  read(): Uint8Array | undefined {
    while (!this.#isEnded) {
      if (this.#notice.isReady) return (this.#lastBytes = this.#notice.take());
      const page = this.#nextPage();
      const bytes = page && this.#takePage(page);
      if (bytes !== undefined) return bytes;
      if (page === undefined && !this.#notice.isReady) break;
    }
    this.#hasNews = false;
    return undefined;
  }

  /** Sets the listener called whenever there may be frames to read, as at first, or at the end. Its errors are uncaught. */
  onReadable(listener: () => void): void {
    this.#listener = listener;
    if (this.#hasNews) callListener(listener);
  }

  /** Resolves when `onReadable` would be called, which it replaces, or when the signal aborts. For one waiter at a time. */
  readable(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#hasNews || this.#isEnded || signal?.aborted) return resolve();
      const done = () => {
        signal?.removeEventListener('abort', done);
        resolve();
      };
      signal?.addEventListener('abort', done);
      this.#listener = done;
    });
  }

  /** @internal Closes when a signal aborts. */
  closeOn(signal: AbortSignal): void {
    const close = () => this.close();
    signal.addEventListener('abort', close);
    this.#onFinish = () => signal.removeEventListener('abort', close);
  }

  /** Detaches the reader. Idempotent. */
  close(): void {
    if (!this.#isEnded) this.#finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** @internal */
  onPage(page: LogPage): void {
    const to = lastSeqOf(page);
    if (to <= this.#headSeq) return;
    const { bound, onDrop } = this.#options;
    if (bound !== undefined) {
      const end = page.marks.find(({ seq, kind }) => seq > this.#headSeq && kind !== 'turn_start')?.seq;
      const dropped = bound.arrive({ from: Math.max(page.firstSeq, this.#headSeq + 1), to: end ?? to }, end);
      if (dropped > 0) onDrop(dropped);
    }
    this.#headSeq = to;
    this.#notify();
  }

  /** @internal */
  onEnd({ headSeq, failure }: ViewEnd): void {
    this.#isLast = true;
    this.#headSeq = Math.max(this.#headSeq, headSeq ?? 0);
    this.#failure = failure;
    this.#notify();
  }

  /**
   * @internal Fetches the first page. If the session is over or there is a gap to report, passes over pages without a frame
   * for this reader, so that `isEnded` is true if nothing is left.
   */
  async prime({ isOver }: { isOver: boolean }): Promise<void> {
    while (this.#afterSeq < this.#headSeq && !this.#isEnded) {
      const page = this.#availablePage;
      if (page !== undefined) this.#noteEvicted(page.firstSeq - 1);
      if (page === undefined) await this.#fetch();
      else if (skipParts(page.bytes, { seq: this.#afterSeq + 1, parts: this.#seenParts }).length > 0) return;
      // Pages with newer entries may contain the reader's end.
      else if (!isOver && !(this.#notice.isNoted && lastSeqOf(page) <= this.#options.headSeq)) return;
      else this.#pass(lastSeqOf(page));
    }
    this.#reportGap();
    this.#isLast ||= isOver;
    if (isOver && !this.#notice.isReady) this.#finish();
  }

  /** The next entries; undefined while they are being fetched or do not exist yet. */
  #nextPage(): LogPage | undefined {
    const { bound } = this.#options;
    const range = bound?.next(this.#afterSeq);
    if (range !== undefined && range.from > this.#afterSeq + 1) this.#skipTo(range.from);
    if (!this.#hasWaiting) {
      // Events dropped for a reader that ends need no gap: the log has them when it reconnects.
      if (this.#isLast) this.#finish();
      else this.#reportDropped();
      return undefined;
    }
    const page = this.#availablePage;
    if (page !== undefined) return slicePage(page, this.#afterSeq + 1, range?.to);
    if (this.#fetching === undefined) void this.#fetch().then(() => this.#notify());
    return undefined;
  }

  /** The page with the next entries; undefined if it has to be fetched. */
  get #availablePage(): LogPage | undefined {
    const isFetchedNext = this.#fetched !== undefined && lastSeqOf(this.#fetched) > this.#afterSeq;
    return isFetchedNext ? this.#fetched : this.#options.view.source.peek(this.#afterSeq);
  }

  /** Whether known entries are waiting for this reader, in memory or in the log. */
  get #hasWaiting(): boolean {
    const { bound } = this.#options;
    return bound === undefined ? this.#afterSeq < this.#headSeq : bound.next(this.#afterSeq) !== undefined;
  }

  /** Passes over entries dropped for this reader. */
  #skipTo(seq: number): void {
    this.#notice.note({ reason: 'dropped', requestedId: this.lastEventId ?? null });
    this.#afterSeq = seq - 1;
  }

  /** Reports now that the newest known events were dropped: the next event may be long in coming. */
  #reportDropped(): void {
    if (this.#afterSeq >= this.#headSeq) return;
    const newest = this.#options.view.source.newestIds.map(parseEventId);
    const position = newest.find((at) => at && at.seq > this.#afterSeq && at.seq <= this.#headSeq);
    if (position === undefined) return;
    this.#skipTo(this.#headSeq + 1);
    this.#notice.report({ epoch: position.epoch, seq: position.seq });
  }

  async #fetch(): Promise<void> {
    const knownSeq = this.#headSeq;
    this.#fetching = this.#options.view.source.fetch(this.#afterSeq).then(
      (page) => {
        this.#fetched = page;
        if (page.ends.length === 0) this.#skipLost(knownSeq);
      },
      (error: unknown) => {
        this.#failure = error;
        this.#finish();
      },
    );
    await this.#fetching;
    this.#fetching = undefined;
  }

  /** Passes over all entries known when the log was asked: it no longer has them. */
  #skipLost(knownSeq: number): void {
    this.#noteEvicted(knownSeq);
    this.#pass(knownSeq);
    this.#reportGap();
  }

  /** Reports a gap now instead of before the next event, which may be long in coming. */
  #reportGap(): void {
    const { epoch } = this.#options;
    if (epoch !== undefined) this.#notice.report({ epoch, seq: this.#afterSeq });
  }

  /** The bytes of a page up to the end of the turn; undefined if it has no frame. */
  #takePage(whole: LogPage): Uint8Array | undefined {
    const end = whole.marks.find(({ kind }) => kind !== 'turn_start');
    const page = end === undefined ? whole : slicePage(whole, whole.firstSeq, end.seq);
    this.#noteEvicted(page.firstSeq - 1);
    const bytes = skipParts(page.bytes, { seq: this.#afterSeq + 1, parts: this.#seenParts });
    const next = this.#notice.isNoted ? firstPositionOf(bytes) : undefined;
    if (next !== undefined) {
      // The next read takes the page.
      this.#afterSeq = page.firstSeq - 1;
      this.#notice.report({ epoch: next.epoch, seq: next.seq - 1 }, next);
      return undefined;
    }
    this.#pass(lastSeqOf(page));
    if (bytes.length > 0) this.#lastBytes = bytes;
    // Without a frame a reader has no cursor, so a turn that ended before it was attached does not end it.
    const wasOver = this.#lastBytes === undefined && end !== undefined && end.seq < this.#options.headSeq;
    if (end !== undefined && !wasOver) this.#finish();
    return bytes.length > 0 ? bytes : undefined;
  }

  /** Continues after an entry. */
  #pass(seq: number): void {
    this.#seenParts = 0;
    this.#afterSeq = seq;
    this.#options.bound?.advance(seq);
    this.#options.room.changed();
  }

  #noteEvicted(throughSeq: number): void {
    if (throughSeq <= this.#afterSeq) return;
    this.#notice.note({ reason: 'evicted', requestedId: this.lastEventId ?? null });
    this.#seenParts = 0;
    this.#options.bound?.lose(throughSeq, this.#headSeq);
  }

  #finish(): void {
    this.#isEnded = true;
    this.#onFinish?.();
    this.#options.view.detach(this);
    this.#options.room.leave(this);
    this.#notify();
  }

  #notify(): void {
    this.#hasNews = true;
    callListener(this.#listener);
  }
}
