import { setImmediate } from 'node:timers/promises';
import { isTransient, unitVector, type Embedder } from './embedder.js';
import type { MemoryDatabase } from '../sqlite/memory-database.js';

const batchSize = 64;
/** A text that every model can embed. */
const plainText = 'memory';

/**
 * Embeds new passages in the background, in batches. A passage without a vector is found by its words only. After a
 * failure, the model is tried again at the next write.
 */
export class VectorIndexer {
  readonly #database: MemoryDatabase;
  readonly #embedder: Embedder;
  readonly #onError: (error: unknown) => void;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;
  /** Whether vectors that this model's cannot be compared with have been deleted. */
  #isComparable = false;

  constructor(options: { database: MemoryDatabase; embedder: Embedder; onError: (error: unknown) => void }) {
    this.#database = options.database;
    this.#embedder = options.embedder;
    this.#onError = options.onError;
  }

  /** Signals that there may be passages without a vector. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Resolves when nothing is left to embed. */
  async whenIdle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('The memory is closed.'));
    await this.whenIdle();
  }

  async #run(): Promise<void> {
    try {
      // By then, what has just been written is committed.
      await setImmediate();
      await this.#keepComparable();
      while (this.#again) {
        this.#again = false;
        while (await this.#embedBatch());
      }
    } catch (error) {
      this.#again = false;
      if (!this.#stop.signal.aborted) this.#onError(error);
    }
  }

  /** Deletes vectors of other models, and those of this model with another size. */
  async #keepComparable(): Promise<void> {
    if (this.#isComparable) return;
    const { name } = this.#embedder;
    const { passages } = this.#database.assets;
    await this.#database.write(() => passages.keepVectorsOf(name));
    if (passages.hasVectorsOf(name)) {
      const [vector = []] = await this.#embedder.embed([plainText], this.#stop.signal);
      const sized = unitVector(vector);
      if (sized) await this.#database.write(() => passages.keepVectorsOfSize(name, sized));
    }
    this.#isComparable = true;
  }

  async #embedBatch(): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    const { name } = this.#embedder;
    const { passages } = this.#database.assets;
    const batch = passages.unembedded(batchSize);
    if (batch.length === 0) return false;
    const vectors = await this.#embed(batch.map(({ text }) => text));
    await this.#database.write(() =>
      batch.forEach((passage, index) => {
        // A text without a usable vector is marked too, so that it is not tried forever.
        const vector = unitVector(vectors[index] ?? []) ?? new Float32Array();
        passages.setVector(passage, { model: name, vector });
      }),
    );
    return true;
  }

  /**
   * Embeds texts. One that the model refuses does not hold up the others: it gets no vector, and is found by its words.
   */
  async #embed(texts: readonly string[]): Promise<readonly (readonly number[])[]> {
    const { signal } = this.#stop;
    try {
      return await this.#embedder.embed(texts, signal);
    } catch (error) {
      if (signal.aborted || isTransient(error)) throw error;
      // A model that refuses even this text is broken, and the texts are not at fault.
      await this.#embedder.embed([plainText], signal);
      if (texts.length === 1) {
        this.#onError(error);
        return [[]];
      }
    }
    const middle = Math.ceil(texts.length / 2);
    return [...(await this.#embed(texts.slice(0, middle))), ...(await this.#embed(texts.slice(middle)))];
  }
}
