import type { EventLog } from '../log/event-log.js';
import { FrameSegments } from '../log/frame-segments.js';
import { createLogPage, slicePage } from '../log/log-page.js';
import type { LogPage } from '../log/log-page.js';
import { checkedPage } from './checked-page.js';
import { lastIdOf } from './frame-bytes.js';
import type { PageSource } from './page-source.js';
import { projectedEntries, projectPage } from './project-page.js';

/** The options of projected pages. */
export interface ProjectedPagesOptions {
  readonly log: EventLog;
  readonly sessionId: string;
  /** The maximum number of entries kept. */
  readonly maxEntries: number;
}

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The pages of an internal log as `frontend_safe` readers see them. Each entry is projected once, on first use, and the
 * newest are kept for other readers.
 */
export class ProjectedPages implements PageSource {
  readonly #options: ProjectedPagesOptions;
  #segments: FrameSegments | undefined;
  #reading: Promise<boolean> | undefined;
  #newestId: string | undefined;

  constructor(options: ProjectedPagesOptions) {
    this.#options = options;
  }

  get newestIds(): readonly string[] {
    return this.#newestId === undefined ? [] : [this.#newestId];
  }

  take(page: LogPage): void {
    const before = this.#headSeq;
    // A page that does not follow directly is left to the next fetch, which continues from the last entry kept.
    if (page.firstSeq <= before + 1) this.#append(slicePage(page, before + 1));
  }

  peek(afterSeq: number): LogPage | undefined {
    const segments = this.#segments;
    return segments && afterSeq >= segments.oldestSeq - 1 ? segments.readAfter(afterSeq) : undefined;
  }

  async fetch(afterSeq: number): Promise<LogPage> {
    for (;;) {
      const isForAnother = this.#reading !== undefined;
      this.#reading ??= this.#readOn().finally(() => {
        this.#reading = undefined;
      });
      const hasMore = await this.#reading;
      const page = this.#segments?.readAfter(afterSeq);
      if (page !== undefined) return page.firstSeq > afterSeq + 1 ? this.#fetchOlder(afterSeq, page) : page;
      // A read started for another reader may predate the entries that this one knows of.
      if (!hasMore && !isForAnother) return createLogPage([], afterSeq + 1);
    }
  }

  /** Keeps everything: a reader that comes back would have it projected again. It ends with the bridge. */
  release(): void {}

  /** The newest entry kept; 0 if there was none. */
  get #headSeq(): number {
    return this.#segments?.headSeq ?? 0;
  }

  /** Projects entries that are no longer kept here, for a reader that lags behind. */
  async #fetchOlder(afterSeq: number, kept: LogPage): Promise<LogPage> {
    const page = await this.#read(afterSeq);
    const isOlder = page.ends.length > 0 && page.firstSeq < kept.firstSeq;
    return isOlder ? projectPage(page) : kept;
  }

  /** Reads the next page, at first from the log's oldest entry. Resolves to whether there was one. */
  async #readOn(): Promise<boolean> {
    const page = await this.#read(this.#headSeq);
    if (page.ends.length === 0) return false;
    // `take` may have added some of it meanwhile.
    this.#append(slicePage(page, this.#headSeq + 1));
    return true;
  }

  async #read(afterSeq: number): Promise<LogPage> {
    const { log, sessionId } = this.#options;
    return checkedPage(await log.readAfter(sessionId, { afterSeq }), afterSeq);
  }

  #append(page: LogPage): void {
    if (this.#segments === undefined || page.firstSeq > this.#segments.headSeq + 1) {
      this.#segments = new FrameSegments({ maxBytes: MOST_BYTES, afterSeq: page.firstSeq - 1 });
    }
    for (const entry of projectedEntries(page)) this.#segments.append(entry);
    this.#newestId = lastIdOf(page.bytes) ?? this.#newestId;
    this.#segments.trim(this.#segments.headSeq - this.#options.maxEntries);
  }
}
