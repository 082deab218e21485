import type { LogPage, SessionStatus } from '@svc/events';
import type { RedisError } from '../errors.js';
import type { ChannelListener, Subscriptions } from '../subscriptions.js';
import { decodeNews, joinPages, pageAfter } from './page-codec.js';
import { continues } from './session-status.js';

/** The result of reading a session in one step. */
export interface SessionRead {
  readonly status: SessionStatus | undefined;
  readonly page: LogPage;
}

export interface LogFollowerOptions {
  readonly channel: string;
  readonly subscriptions: Subscriptions;
  readonly read: (afterSeq: number) => Promise<SessionRead>;
  readonly afterSeq: number;
  readonly signal: AbortSignal | undefined;
  /** The followers to end when the log is closed; this one is a member until it ends. */
  readonly group: Set<LogFollower>;
}

/** Published pages wait up to this size; beyond it they are dropped and read from the stream when needed. */
const MOST_WAITING_BYTES = 1024 * 1024;

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Follows one session: reads the stream, then takes published entries. Whenever messages may have been missed, it reads
 * again, so published entries are a shortcut, never the only path.
 */
export class LogFollower implements AsyncIterator<LogPage, undefined>, ChannelListener {
  readonly #options: LogFollowerOptions;
  readonly #onAbort = () => this.end();
  #afterSeq: number;
  #status: SessionStatus | undefined;
  #waitingPages: LogPage[] = [];
  #waitingBytes = 0;
  #isListening = false;
  #mustRead = true;
  #isEnded = false;
  #failure: RedisError | undefined;
  #wake: (() => void) | undefined;
  #isWoken = false;
  #reads: Promise<unknown> = Promise.resolve();

  constructor(options: LogFollowerOptions) {
    this.#options = options;
    this.#afterSeq = options.afterSeq;
    if (options.signal?.aborted) {
      this.#isEnded = true;
      return;
    }
    options.signal?.addEventListener('abort', this.#onAbort);
    options.group.add(this);
    options.subscriptions.add(options.channel, this);
  }

  get channel(): string {
    return this.#options.channel;
  }

  next(): Promise<IteratorResult<LogPage, undefined>> {
    // One at a time: those started together would miss each other's pages.
    const result = this.#reads.then(
      () => this.#next(),
      () => this.#next(),
    );
    this.#reads = result;
    return result;
  }

  async #next(): Promise<IteratorResult<LogPage, undefined>> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#takeFailure(this.#failure);
      if (this.#isEnded) return done;
      const shouldRead = this.#isListening && this.#mustRead;
      const page = shouldRead ? await this.#read() : this.#takeWaiting();
      if (page !== undefined && !this.#isEnded) {
        this.#afterSeq = page.firstSeq + page.ends.length - 1;
        return { done: false, value: page };
      }
      if (!shouldRead && !(this.#isListening && this.#mustRead)) await this.#nextWake();
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.end();
    return done;
  }

  /** Ends the iteration. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { subscriptions, channel, group, signal } = this.#options;
    subscriptions.remove(channel, this);
    group.delete(this);
    signal?.removeEventListener('abort', this.#onAbort);
    this.#dropWaiting();
    this.#wake?.();
  }

  onMessage(message: Buffer): void {
    const news = decodeNews(message);
    if (news.kind === 'gone') return this.end();
    if (news.kind === 'read') this.#mustRead = true;
    else this.#keep(news.page);
    this.#wakeSoon();
  }

  onListening(): void {
    this.#isListening = true;
    this.#mustRead = true;
    this.#wakeSoon();
  }

  onFailure(error: RedisError): void {
    this.#failure = error;
    this.end();
  }

  /** An iterator throws once and is then done. */
  #takeFailure(failure: RedisError): RedisError {
    this.#failure = undefined;
    return failure;
  }

  #keep(page: LogPage): void {
    this.#waitingPages.push(page);
    this.#waitingBytes += page.bytes.length;
    if (this.#waitingBytes <= MOST_WAITING_BYTES) return;
    this.#dropWaiting();
    this.#mustRead = true;
  }

  #dropWaiting(): void {
    this.#waitingPages = [];
    this.#waitingBytes = 0;
  }

  /** Takes the waiting pages that follow directly, as one page. */
  #takeWaiting(): LogPage | undefined {
    const pages: LogPage[] = [];
    let afterSeq = this.#afterSeq;
    for (const page of this.#waitingPages) {
      const lastSeq = page.firstSeq + page.ends.length - 1;
      if (lastSeq <= afterSeq) continue;
      if (page.firstSeq > afterSeq + 1) {
        this.#mustRead = true;
        break;
      }
      pages.push(pageAfter(page, afterSeq));
      afterSeq = lastSeq;
    }
    this.#dropWaiting();
    return pages.length === 0 ? undefined : joinPages(pages);
  }

  async #read(): Promise<LogPage | undefined> {
    this.#mustRead = false;
    const { status, page } = await this.#options.read(this.#afterSeq).catch((error: unknown) => {
      this.end();
      throw error;
    });
    if (!continues(this.#status, status, this.#afterSeq)) {
      this.end();
      return undefined;
    }
    this.#status = status;
    if (page.ends.length === 0) return undefined;
    if (page.firstSeq + page.ends.length - 1 < (status?.headSeq ?? 0)) this.#mustRead = true;
    return page;
  }

  #nextWake(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** Wakes once per turn of the event loop, so that a page contains everything the turn brought. */
  #wakeSoon(): void {
    if (this.#isWoken || this.#wake === undefined) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      this.#wake?.();
    });
  }
}
