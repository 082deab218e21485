/** Something that writes what is at hand. */
export interface Flushing {
  flush(): void;
}

/**
 * Gathers who has something to write until what runs now has run, so that readers of the same bytes write one after the
 * other. A log already hands out what one turn of the event loop brought as one page; waiting for the next turn here
 * would only be late.
 */
export class FlushQueue {
  #waiting = new Set<Flushing>();
  readonly #onFlushed: () => void;

  /** @param onFlushed Hears every time that all have written. */
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
