import type { FrameSegments } from './frame-segments.js';
import { lastSeqOf, type LogPage } from './log-page.js';

/** The options of a follower. */
export interface SegmentFollowerOptions {
  readonly segments: FrameSegments;
  readonly afterSeq: number;
  readonly signal: AbortSignal | undefined;
  /** The followers that an append wakes; this one is a member until it ends. */
  readonly group: Set<SegmentFollower>;
  /** Called once it has left the group. */
  readonly onEnd: () => void;
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Reads entries as they arrive. It wakes once per turn of the event loop, so that a page contains all of the turn. */
export class SegmentFollower implements AsyncIterator<LogPage, undefined> {
  readonly #options: SegmentFollowerOptions;
  readonly #onAbort = () => this.end();
  #afterSeq: number;
  #waiting: ((result: IteratorResult<LogPage, undefined>) => void)[] = [];
  #isWoken = false;
  #isEnded = false;

  constructor(options: SegmentFollowerOptions) {
    this.#options = options;
    this.#afterSeq = options.afterSeq;
    options.group.add(this);
    if (options.signal?.aborted) this.end();
    else options.signal?.addEventListener('abort', this.#onAbort);
  }

  next(): Promise<IteratorResult<LogPage, undefined>> {
    if (this.#isEnded) return Promise.resolve(done);
    const page = this.#waiting.length === 0 ? this.#read() : undefined;
    if (page !== undefined) return Promise.resolve({ done: false, value: page });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.end();
    return done;
  }

  /** Signals that there is something to read. */
  wake(): void {
    if (this.#isWoken || this.#waiting.length === 0) return;
    this.#isWoken = true;
    wakeAtTurnEnd(this);
  }

  /** @internal The turn of the event loop is over. */
  deliver(): void {
    this.#isWoken = false;
    while (this.#waiting.length > 0) {
      const page = this.#read();
      if (page === undefined) return;
      this.#waiting.shift()?.({ done: false, value: page });
    }
  }

  /** Ends the iteration. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#options.group.delete(this);
    this.#options.onEnd();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    for (const resolve of this.#waiting.splice(0)) resolve(done);
  }

  #read(): LogPage | undefined {
    const page = this.#options.segments.readAfter(this.#afterSeq);
    if (page !== undefined) this.#afterSeq = lastSeqOf(page);
    return page;
  }
}

let woken: SegmentFollower[] = [];

function wakeAtTurnEnd(follower: SegmentFollower): void {
  if (woken.push(follower) > 1) return;
  setImmediate(() => {
    const followers = woken;
    woken = [];
    for (const each of followers) each.deliver();
  });
}
