import { projectEntry } from '../audience/project-entry.js';
import type { EventLog } from '../log/event-log.js';
import { FrameSegments } from '../log/frame-segments.js';
import { createLogPage, lastSeqOf, slicePage } from '../log/log-page.js';
import type { LogPage } from '../log/log-page.js';
import { asBuffer } from './frame-bytes.js';
import type { PageSource } from './page-source.js';

/** What projected pages are made from. */
export interface ProjectedPagesOptions {
  readonly log: EventLog;
  readonly sessionId: string;
  /** The most entries kept. */
  readonly maxEntries: number;
}

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The pages of an internal log as `frontend_safe` readers see them. Each entry is projected once, whoever asks for it
 * first, and kept as long as the log would keep it.
 */
export class ProjectedPages implements PageSource {
  readonly #options: ProjectedPagesOptions;
  #segments: FrameSegments | undefined;
  #filling: Promise<void> | undefined;

  constructor(options: ProjectedPagesOptions) {
    this.#options = options;
  }

  take(page: LogPage): void {
    const before = this.#segments?.headSeq ?? 0;
    // A page that does not follow is left to the next fetch, which reads on from the last one kept, or from the oldest.
    if (page.firstSeq <= before + 1) this.#append(slicePage(page, before + 1));
  }

  peek(afterSeq: number): LogPage | undefined {
    const segments = this.#segments;
    return segments && afterSeq >= segments.oldestSeq - 1 ? segments.readAfter(afterSeq) : undefined;
  }

  async fetch(afterSeq: number): Promise<LogPage> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
    await this.#filling;
    return this.#segments?.readAfter(afterSeq) ?? createLogPage([], afterSeq + 1);
  }

  rest(): void {}

  /** Reads on to the end of the log, at first from its oldest entry. */
  async #fill(): Promise<void> {
    const { log, sessionId } = this.#options;
    for (;;) {
      const afterSeq = this.#segments?.headSeq ?? 0;
      const page = await log.readAfter(sessionId, { afterSeq });
      if (page.ends.length === 0) return;
      const known = this.#segments?.headSeq ?? page.firstSeq - 1;
      if (lastSeqOf(page) > known) this.#append(slicePage(page, known + 1));
    }
  }

  #append(page: LogPage): void {
    if (this.#segments === undefined || page.firstSeq > this.#segments.headSeq + 1) {
      this.#segments = new FrameSegments({ maxBytes: MOST_BYTES, afterSeq: page.firstSeq - 1 });
    }
    const bytes = asBuffer(page.bytes);
    let start = 0;
    let nextMark = 0;
    for (const [i, end] of page.ends.entries()) {
      const seq = page.firstSeq + i;
      const mark = page.marks[nextMark];
      const isMarked = mark?.seq === seq;
      if (isMarked) nextMark += 1;
      const frames = page.safeFrames?.get(seq) ?? projectEntry(bytes.toString('utf8', start, end));
      this.#segments.append({ kind: isMarked ? mark.kind : 'event', frames });
      start = end;
    }
    this.#segments.trim(this.#segments.headSeq - this.#options.maxEntries);
  }
}
