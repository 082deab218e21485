import type { StreamEvent } from '../compile/stream-event.js';

/** So many reports of one call wait for a slow reader; of what comes then, only the latest does. */
const MAX_WAITING_REPORTS = 1024;

/** What a {@link ReportLine} shows its events by. */
interface ReportTarget {
  /** Resolves when the reader has room. */
  readonly emit: (event: StreamEvent) => Promise<void>;
  /** Told once, when the first report is left out. */
  readonly onDrop: () => void;
}

/** The reports of one call in their order. One that is awaited is never left out; a tool that awaits none cannot fill the memory. */
export class ReportLine {
  readonly #target: ReportTarget;
  #waiting = 0;
  #latest: StreamEvent | undefined;
  #hasDropped = false;

  constructor(target: ReportTarget) {
    this.#target = target;
  }

  /** Resolves when the report is shown and the reader has room, or at once when too many wait. */
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
