import type { StreamEvent } from '../compile/stream-event.js';

/** How many reports of one call are queued for a slow reader; beyond that, only the latest is kept. */
const MAX_WAITING_REPORTS = 1024;

/** The target of a {@link ReportLine}. */
interface ReportTarget {
  /** Resolves when the reader has room. */
  readonly emit: (event: StreamEvent) => Promise<void>;
  /** Called once, when the first report is dropped. */
  readonly onDrop: () => void;
}

/**
 * Shows the reports of one call in order. An awaited report is never dropped; a tool that awaits none cannot exhaust
 * memory.
 */
export class ReportLine {
  readonly #target: ReportTarget;
  #waiting = 0;
  #latest: StreamEvent | undefined;
  #hasDropped = false;

  constructor(target: ReportTarget) {
    this.#target = target;
  }

  /** Resolves when the report is shown and the reader has room, or at once if too many are queued. */
  async show(report: StreamEvent): Promise<void> {
    if (this.#waiting === MAX_WAITING_REPORTS) {
      if (this.#latest) this.#drop();
      this.#latest = report;
      return;
    }
    this.#waiting += 1;
    try {
      for (let next: StreamEvent | undefined = report; next; next = this.#takeLatest())
        await this.#target.emit(next);
    } finally {
      this.#waiting -= 1;
    }
  }

  #drop(): void {
    if (!this.#hasDropped) this.#target.onDrop();
    this.#hasDropped = true;
  }

  #takeLatest(): StreamEvent | undefined {
    const latest = this.#latest;
    this.#latest = undefined;
    return latest;
  }
}
