import { epochAt } from './epoch-list.js';
import type { ReadFrom, SessionStatus } from './event-log.js';
import { lastSeqOf } from './log-page.js';
import type { LogPage } from './log-page.js';

/** The writers and the newest entry of a session. */
export type WrittenTo = Pick<SessionStatus, 'epochs' | 'headSeq'>;

/** How followers of a log without notifications find new entries. */
export interface PollingFollowersOptions {
  /** The polling interval, in milliseconds. */
  readonly everyMs: number;
  /** Reads the next page of a session, undefined if there is none, and the session, undefined if unknown. */
  readonly read: (
    sessionId: string,
    afterSeq: number,
  ) => { readonly page: LogPage | undefined; readonly session: WrittenTo | undefined };
  /** Returns a number that changes when another process may have written. */
  readonly version: () => number;
}

/** One follower of a session. */
class Follower {
  readonly sessionId: string;
  isEnded = false;
  #news = Promise.withResolvers<void>();

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /** Resolves when there may be something to read, or the follower has ended. */
  async news(): Promise<void> {
    await this.#news.promise;
    this.#news = Promise.withResolvers();
  }

  wake(): void {
    this.#news.resolve();
  }

  end(): void {
    this.isEnded = true;
    this.#news.resolve();
  }
}

/** The followers of a log, woken by appends of this process and by one shared poll for writes of others. */
export class PollingFollowers {
  readonly #options: PollingFollowersOptions;
  readonly #followers = new Set<Follower>();
  #timer: NodeJS.Timeout | undefined;
  #version = 0;
  #isClosed = false;

  constructor(options: PollingFollowersOptions) {
    this.#options = options;
  }

  follow(
    sessionId: string,
    from: ReadFrom & { readonly signal?: AbortSignal },
  ): AsyncGenerator<LogPage, void, undefined> {
    const follower = new Follower(sessionId);
    const pages = this.#read(follower, from);
    // The generator's own `return` would wait for the pending pull, and so for an entry that may never come.
    pages.return = () => {
      follower.end();
      return pages.next();
    };
    return pages;
  }

  async *#read(
    follower: Follower,
    { afterSeq, signal }: ReadFrom & { readonly signal?: AbortSignal },
  ): AsyncGenerator<LogPage, void, undefined> {
    if (this.#isClosed || signal?.aborted) return;
    const end = () => follower.end();
    signal?.addEventListener('abort', end);
    try {
      this.#enter(follower);
      let after = afterSeq;
      let writer: string | undefined;
      while (!follower.isEnded) {
        const { page, session } = this.#options.read(follower.sessionId, after);
        const last = page === undefined ? after : lastSeqOf(page);
        if (last > (session?.headSeq ?? 0)) return;
        const epochs = session?.epochs ?? [];
        // A new session under the same id starts over, so a reader would miss its entries before this position.
        if (writer !== undefined && (epochAt(epochs, after) ?? writer) !== writer) return;
        writer = epochAt(epochs, last);
        if (page !== undefined) {
          after = last;
          yield page;
        } else await follower.news();
      }
    } finally {
      signal?.removeEventListener('abort', end);
      this.#leave(follower);
    }
  }

  /** Call this when entries were appended to a session or it expired. */
  wake(sessionId: string): void {
    for (const follower of this.#followers) if (follower.sessionId === sessionId) follower.wake();
  }

  /** Call this when a session was removed; removals by other processes are noticed by reading. */
  end(sessionId: string): void {
    for (const follower of this.#followers) if (follower.sessionId === sessionId) follower.end();
  }

  close(): void {
    this.#isClosed = true;
    for (const follower of this.#followers) follower.end();
    clearInterval(this.#timer);
  }

  #enter(follower: Follower): void {
    this.#followers.add(follower);
    if (this.#timer !== undefined) return;
    this.#version = this.#options.version();
    this.#timer = setInterval(() => this.#poll(), this.#options.everyMs);
  }

  #leave(follower: Follower): void {
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    if (!this.#mayHaveNews()) return;
    for (const follower of this.#followers) follower.wake();
  }

  #mayHaveNews(): boolean {
    try {
      const before = this.#version;
      this.#version = this.#options.version();
      return this.#version !== before;
    } catch {
      // A timer has no caller to report to; each follower reads and gets the error itself.
      return true;
    }
  }
}
