import type { EventLog } from '../log/event-log.js';
import { lastSeqOf, type LogPage } from '../log/log-page.js';
import { checkedPage } from './checked-page.js';
import type { PageSource } from './page-source.js';

/** What a view tells its readers. */
export interface ViewReader {
  /** New entries are at hand. */
  onPage(page: LogPage): void;
  /** Nothing more comes: the session is gone, the bridge is closed, or the log failed. */
  onEnd(end: ViewEnd): void;
}

/** How a view ends. */
export interface ViewEnd {
  /** The newest entry, if there is more than the readers know of. */
  readonly headSeq?: number | undefined;
  readonly failure?: unknown;
}

/** What a view needs. */
export interface SessionViewOptions {
  readonly log: EventLog;
  readonly sessionId: string;
  readonly source: PageSource;
}

/** A reason that is given spares making an error with a stack whenever the last reader leaves. */
const nobodyReads = 'nobody reads';

/**
 * A session as the readers of one audience in this process see it. It follows the log once for all of them, while
 * there are any.
 */
export class SessionView {
  readonly source: PageSource;
  readonly #options: SessionViewOptions;
  readonly #readers = new Set<ViewReader>();
  #following: AbortController | undefined;
  #headSeq = 0;
  #isOver = false;

  constructor(options: SessionViewOptions) {
    this.#options = options;
    this.source = options.source;
  }

  /** The newest entry that those who read now were brought; 0 when there is none. */
  get headSeq(): number {
    return this.#headSeq;
  }

  /** Whether the log had no more to bring: what is at hand here may be gone there, and other entries in its place. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Adds a reader. `headSeq` is the newest entry known; what comes after it is followed. */
  attach(reader: ViewReader, headSeq: number): void {
    this.#readers.add(reader);
    if (this.#following === undefined) void this.#follow(headSeq);
  }

  detach(reader: ViewReader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
    this.#following?.abort(nobodyReads);
    this.#rest();
    this.source.rest();
  }

  /** Tells all readers that nothing more comes. */
  end(end: ViewEnd = {}): void {
    for (const reader of this.#readers) reader.onEnd(end);
  }

  async #follow(afterSeq: number): Promise<void> {
    const following = new AbortController();
    this.#following = following;
    const { log, sessionId } = this.#options;
    let failure: unknown;
    try {
      for await (const page of log.follow(sessionId, { afterSeq, signal: following.signal })) {
        if (following.signal.aborted) return;
        this.source.take(checkedPage(page, 0));
        this.#headSeq = lastSeqOf(page);
        for (const reader of this.#readers) reader.onPage(page);
      }
    } catch (error) {
      failure = error;
    }
    if (following.signal.aborted) return;
    this.#rest();
    this.#isOver = true;
    this.end({ failure });
  }

  #rest(): void {
    this.#following = undefined;
    this.#headSeq = 0;
  }
}
