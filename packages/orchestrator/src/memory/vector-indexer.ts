import { unitVector, type Embedder } from './embedder.js';
import type { MemoryDatabase } from './sqlite/memory-database.js';

const batchSize = 64;

/**
 * Gives new passages their vectors, in the background and in batches. Until a passage has one it is found by its words
 * alone. A model that fails is tried again when something else is written.
 */
export class VectorIndexer {
  readonly #database: MemoryDatabase;
  readonly #embedder: Embedder;
  readonly #onError: (error: unknown) => void;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;
  /** Whether the vectors of earlier models are gone. */
  #isKept = false;

  constructor(options: { database: MemoryDatabase; embedder: Embedder; onError: (error: unknown) => void }) {
    this.#database = options.database;
    this.#embedder = options.embedder;
    this.#onError = options.onError;
  }

  /** There may be passages without a vector. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Resolves when nothing is left to do. */
  async whenIdle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('The memory is closed.'));
    await this.whenIdle();
  }

  async #run(): Promise<void> {
    try {
      // What has just been written is committed by then.
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.#isKept) {
        await this.#database.write(() => this.#database.assets.passages.keepVectorsOf(this.#embedder.name));
        this.#isKept = true;
      }
      while (this.#again) {
        this.#again = false;
        while (await this.#embedBatch());
      }
    } catch (error) {
      this.#again = false;
      if (!this.#stop.signal.aborted) this.#onError(error);
    }
  }

  async #embedBatch(): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    const { name } = this.#embedder;
    const { passages } = this.#database.assets;
    const batch = passages.unembedded(batchSize);
    if (batch.length === 0) return false;
    const vectors = await this.#embedder.embed(
      batch.map(({ text }) => text),
      this.#stop.signal,
    );
    await this.#database.write(() =>
      batch.forEach(({ passage }, index) => {
        // A text without a direction is marked too, else it would come back for ever.
        passages.setVector(passage, name, unitVector(vectors[index] ?? []) ?? new Float32Array());
      }),
    );
    return true;
  }
}
