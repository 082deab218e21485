/** Something that writes the bytes that are ready. */
export interface Flushing {
  flush(): void;
}

/**
 * Collects the writers that have something to write until the next microtask, so that writers of the same bytes run one
 * after another. A log already delivers the events of one turn of the event loop as one page, so waiting for the next
 * turn here would only add delay.
 */
export class FlushQueue {
  #waiting = new Set<Flushing>();
  readonly #onFlushed: () => void;

  /** @param onFlushed Called each time all of them have written. */
  constructor(onFlushed: () => void = () => undefined) {
    this.#onFlushed = onFlushed;
  }

  add(flushing: Flushing): void {
    if (this.#waiting.size === 0) queueMicrotask(this.#flush);
    this.#waiting.add(flushing);
  }

  readonly #flush = (): void => {
    const waiting = this.#waiting;
    // Never `clear()`: V8 links the table of a cleared set to the next, so its writers live until a full collection.
    this.#waiting = new Set();
    for (const flushing of waiting) flushing.flush();
    this.#onFlushed();
  };
}
