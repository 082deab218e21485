import * as z from 'zod';
import type { ShapeOf } from '../config/options.js';
import { parseOptions } from './errors.js';

/** What `runs()` takes. */
export interface RunsOptions {
  /** Ends the loop. */
  signal?: AbortSignal | undefined;
  /** How many records wait for a slow reader; then the oldest are dropped. @default 1000 */
  maxBuffered?: number | undefined;
}

const RunsOptionsSchema = z.strictObject({
  signal: z.instanceof(AbortSignal).optional(),
  maxBuffered: z.int().min(1).default(1_000),
} satisfies ShapeOf<RunsOptions>);

/** How a job's records are read, checked. */
export type RunsConfig = z.output<typeof RunsOptionsSchema>;

/** Reads the options of `runs()`. */
export function parseRunsOptions(options: RunsOptions): RunsConfig {
  return parseOptions(RunsOptionsSchema, options ?? {}, 'runs()');
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
