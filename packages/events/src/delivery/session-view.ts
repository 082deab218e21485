import type { EventLog } from '../log/event-log.js';
import { lastSeqOf, type LogPage } from '../log/log-page.js';
import { checkedPage } from './checked-page.js';
import type { PageSource } from './page-source.js';

/** A reader of a view. */
export interface ViewReader {
  /** New entries have arrived. */
  onPage(page: LogPage): void;
  /** Nothing more will arrive: the session is gone, the bridge is closed, or the log failed. */
  onEnd(end: ViewEnd): void;
}

/** How a view ends. */
export interface ViewEnd {
  /** The newest entry, if the readers do not know it yet. */
  readonly headSeq?: number | undefined;
  readonly failure?: unknown;
}

/** The options of a view. */
export interface SessionViewOptions {
  readonly log: EventLog;
  readonly sessionId: string;
  readonly source: PageSource;
}

/** An abort reason, so that no error with a stack is created whenever the last reader leaves. */
const nobodyReads = 'nobody reads';

/**
 * A session as the readers of one audience in this process see it. It follows the log once for all of them, as long as
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

  /** The newest entry that the current readers know of; 0 if there is none. */
  get headSeq(): number {
    return this.#headSeq;
  }

  /** Whether following the log has ended; the log may have lost or replaced the entries in memory since. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Adds a reader. `headSeq` is the newest known entry; the view follows those after it. */
  attach(reader: ViewReader, headSeq: number): void {
    this.#readers.add(reader);
    if (this.#following !== undefined) return;
    // Entries up to here are not followed, and a reader attached later may have asked the log before they were there.
    this.#headSeq = headSeq;
    void this.#follow(headSeq);
  }

  detach(reader: ViewReader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
    this.#following?.abort(nobodyReads);
    this.#reset();
    this.source.release();
  }

  /** Tells all readers that nothing more will arrive. */
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
    this.#reset();
    this.#isOver = true;
    this.end({ failure });
  }

  #reset(): void {
    this.#following = undefined;
    this.#headSeq = 0;
  }
}
