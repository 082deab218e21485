import * as z from 'zod';
import type { ShapeOf } from '../../config/options.js';
import { parseOptions } from '../errors.js';

/** Options of `runs()`. */
export interface RunsOptions {
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
  /** How many records are queued for a slow reader before the oldest are dropped. @default 1000 */
  maxBuffered?: number | undefined;
}

const RunsOptionsSchema = z.strictObject({
  signal: z.instanceof(AbortSignal).optional(),
  maxBuffered: z.int().min(1).default(1_000),
} satisfies ShapeOf<RunsOptions>);

/** Validated options of `runs()`. */
export type RunsConfig = z.output<typeof RunsOptionsSchema>;

/** Parses the options of `runs()`. */
export function parseRunsOptions(options: RunsOptions): RunsConfig {
  return parseOptions(RunsOptionsSchema, options ?? {}, 'runs()');
}

/** A reader of a job's records: a bounded queue that ends with the job. */
export class RunFeed<Item> {
  readonly #maxBuffered: number;
  readonly #onDrop: () => void;
  readonly #items: Item[] = [];
  #wake: (() => void) | undefined;
  #isBehind = false;
  #isEnded = false;

  /** `onDrop` is called for the first dropped item, and again if items are dropped after the reader had caught up. */
  constructor(maxBuffered: number, onDrop: () => void) {
    this.#maxBuffered = maxBuffered;
    this.#onDrop = onDrop;
  }

  push(item: Item): void {
    if (this.#items.length === 0) this.#isBehind = false;
    if (this.#items.length >= this.#maxBuffered) {
      this.#items.shift();
      if (!this.#isBehind) this.#onDrop();
      this.#isBehind = true;
    }
    this.#items.push(item);
    this.#wake?.();
  }

  /** Ends the queue after the queued items. */
  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  /** Yields the items in order. */
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
