import type { LogPage } from '../log/log-page.js';

/** Where the readers of one audience get their pages from. */
export interface PageSource {
  /** The ids of the newest frames here. A session that does not know them has lost what is here, or is another one. */
  readonly newestIds: readonly string[];
  /** Takes what the log has brought. */
  take(page: LogPage): void;
  /** The entries after a number that are at hand, at least one; undefined when they have to be fetched, or to come. */
  peek(afterSeq: number): LogPage | undefined;
  /** Fetches entries after a number; an empty page when there are none (yet). */
  fetch(afterSeq: number): Promise<LogPage>;
  /** Nobody reads any more. */
  rest(): void;
}
