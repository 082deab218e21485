import type { LogPage } from '../log/log-page.js';

/** The source of pages for the readers of one audience. */
export interface PageSource {
  /** The ids of the newest frames in memory. A session that does not have them has lost them or was replaced. */
  readonly newestIds: readonly string[];
  /** Adds a page from the log. */
  take(page: LogPage): void;
  /** The entries in memory after a sequence number, at least one; undefined if they must be fetched or do not exist. */
  peek(afterSeq: number): LogPage | undefined;
  /** Fetches entries after a sequence number; an empty page if there are none (yet). */
  fetch(afterSeq: number): Promise<LogPage>;
  /** Called when the last reader has left. */
  release(): void;
}
