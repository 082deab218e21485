/** What `runs()` takes. */
export interface RunsOptions {
  /** Ends the loop. */
  signal?: AbortSignal | undefined;
  /** How many records wait for a slow reader; then the oldest are dropped. @default 1000 */
  maxBuffered?: number | undefined;
}

/** One reader of a job's records: a bounded queue that ends with the job. */
export class RunFeed<Item> {
  readonly #maxBuffered: number;
  readonly #onDrop: () => void;
  readonly #items: Item[] = [];
  #wake: (() => void) | undefined;
  #isEnded = false;

  constructor(maxBuffered: number, onDrop: () => void) {
    this.#maxBuffered = maxBuffered;
    this.#onDrop = onDrop;
  }

  push(item: Item): void {
    if (this.#items.length >= this.#maxBuffered) {
      this.#items.shift();
      this.#onDrop();
    }
    this.#items.push(item);
    this.#wake?.();
  }

  /** Nothing follows what waits already. */
  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  /** What comes, in its order. */
  async *read(signal: AbortSignal | undefined): AsyncGenerator<Item, void, void> {
    const stop = () => this.end();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      for (;;) {
        if (signal?.aborted) return;
        const item = this.#items.shift();
        if (item !== undefined) yield item;
        else if (this.#isEnded) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }
}
