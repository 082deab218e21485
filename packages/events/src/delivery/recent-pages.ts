import type { EventLog } from '../log/event-log.js';
import { lastSeqOf, slicePage } from '../log/log-page.js';
import type { LogPage } from '../log/log-page.js';
import { checkedPage } from './checked-page.js';
import { lastIdOf } from './frame-bytes.js';
import type { PageSource } from './page-source.js';

const MOST_RECENT_BYTES = 256 * 1024;

/** The options of recent pages. */
export interface RecentPagesOptions {
  readonly log: EventLog;
  readonly sessionId: string;
}

/** Unchanged pages of the log: the newest are in memory, older ones are fetched. */
export class RecentPages implements PageSource {
  readonly #options: RecentPagesOptions;
  #pages: LogPage[] = [];
  #bytes = 0;

  constructor(options: RecentPagesOptions) {
    this.#options = options;
  }

  get newestIds(): readonly string[] {
    const page = this.#pages.findLast(({ bytes }) => bytes.length > 0);
    const id = page && lastIdOf(page.bytes);
    return id === undefined ? [] : [id];
  }

  take(page: LogPage): void {
    this.#pages.push(page);
    this.#bytes += page.bytes.length;
    while (this.#bytes > MOST_RECENT_BYTES && this.#pages.length > 1) {
      this.#bytes -= this.#pages.shift()?.bytes.length ?? 0;
    }
  }

  peek(afterSeq: number): LogPage | undefined {
    for (let i = this.#pages.length - 1; i >= 0; i -= 1) {
      const page = this.#pages[i];
      if (page === undefined || lastSeqOf(page) <= afterSeq) return undefined;
      if (page.firstSeq <= afterSeq + 1) return slicePage(page, afterSeq + 1);
    }
    return undefined;
  }

  async fetch(afterSeq: number): Promise<LogPage> {
    const { log, sessionId } = this.#options;
    return checkedPage(await log.readAfter(sessionId, { afterSeq }), afterSeq);
  }

  release(): void {
    this.#pages = [];
    this.#bytes = 0;
  }
}
