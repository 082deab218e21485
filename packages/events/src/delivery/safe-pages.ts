import type { LogPage } from '../log/log-page.js';
import type { PageSource } from './page-source.js';
import { isWrittenBy } from './project-page.js';
import { ProjectedPages, type ProjectedPagesOptions } from './projected-pages.js';
import { RecentPages } from './recent-pages.js';

/** The options of safe pages. */
export interface SafePagesOptions extends ProjectedPagesOptions {
  /** The token with which this process last wrote; undefined before that. */
  readonly ownEpoch: () => string | undefined;
}

/**
 * The pages of a session whose bridge is `frontend_safe`. Its own pages are already safe. In a shared log, another bridge
 * may have written for another audience: those pages are projected, once for all readers.
 */
export class SafePages implements PageSource {
  readonly #ownEpoch: () => string | undefined;
  readonly #own: RecentPages;
  readonly #projected: ProjectedPages;

  constructor(options: SafePagesOptions) {
    this.#ownEpoch = options.ownEpoch;
    this.#own = new RecentPages(options);
    this.#projected = new ProjectedPages(options);
  }

  get newestIds(): readonly string[] {
    return [...this.#own.newestIds, ...this.#projected.newestIds];
  }

  take(page: LogPage): void {
    if (isWrittenBy(page, this.#ownEpoch())) this.#own.take(page);
    else this.#projected.take(page);
  }

  peek(afterSeq: number): LogPage | undefined {
    return this.#own.peek(afterSeq) ?? this.#projected.peek(afterSeq);
  }

  async fetch(afterSeq: number): Promise<LogPage> {
    const epoch = this.#ownEpoch();
    const page = epoch === undefined ? undefined : await this.#own.fetch(afterSeq);
    return page !== undefined && isWrittenBy(page, epoch) ? page : this.#projected.fetch(afterSeq);
  }

  release(): void {
    this.#own.release();
    this.#projected.release();
  }
}
