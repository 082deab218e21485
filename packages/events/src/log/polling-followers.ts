import { epochAt } from './epoch-list.js';
import type { ReadFrom, SessionStatus } from './event-log.js';
import { lastSeqOf } from './log-page.js';
import type { LogPage } from './log-page.js';

/** Who wrote a session, and how far. */
export type WrittenTo = Pick<SessionStatus, 'epochs' | 'headSeq'>;

/** How followers of a log that does not call back learn of what is new. */
export interface PollingFollowersOptions {
  /** How often they look, in milliseconds. */
  readonly everyMs: number;
  /** The next page of a session, undefined when there is none; then the session, undefined when it is not known. */
  readonly read: (
    sessionId: string,
    afterSeq: number,
  ) => { readonly page: LogPage | undefined; readonly session: WrittenTo | undefined };
  /** Changes when anything may have been written elsewhere. */
  readonly version: () => number;
}

/** One who reads on. */
class Follower {
  readonly sessionId: string;
  isEnded = false;
  #news = Promise.withResolvers<void>();

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /** Resolves when there may be something to read, or nothing comes any more. */
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

/** The followers of a log: woken by what this process appends, and by one look for all of them at what others did. */
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
    // A generator's own waits for the pull under way, and so for what may never be written.
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
    this.#enter(follower);
    try {
      let after = afterSeq;
      let writer: string | undefined;
      while (!follower.isEnded) {
        const { page, session } = this.#options.read(follower.sessionId, after);
        const last = page === undefined ? after : lastSeqOf(page);
        if (last > (session?.headSeq ?? 0)) return;
        const epochs = session?.epochs ?? [];
        // Another session under its id begins anew, so that a reader would miss what comes before this place.
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

  /** Something was appended to a session, or it was forgotten. */
  wake(sessionId: string): void {
    for (const follower of this.#followers) if (follower.sessionId === sessionId) follower.wake();
  }

  /** A session was removed; what others remove is seen by reading. */
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
      // A timer has nobody to tell; each follower reads, and hears for itself what is wrong.
      return true;
    }
  }
}
