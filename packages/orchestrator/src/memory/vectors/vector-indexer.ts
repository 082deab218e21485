import { setImmediate } from 'node:timers/promises';
import { isPassing, unitVector, type Embedder } from './embedder.js';
import type { MemoryDatabase } from '../sqlite/memory-database.js';

const batchSize = 64;
/** What every model can embed. */
const plainText = 'memory';

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
  /** Whether the vectors are gone that those of this model cannot be compared with. */
  #isComparable = false;

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

  /** Forgets what other models made, and what this one made when it was set up for vectors of another size. */
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
        // A text without a direction is marked too, else it would come back for ever.
        const vector = unitVector(vectors[index] ?? []) ?? new Float32Array();
        passages.setVector(passage, { model: name, vector });
      }),
    );
    return true;
  }

  /** The vectors of texts. One that the model refuses holds up no other: it has none, and is found by its words. */
  async #embed(texts: readonly string[]): Promise<readonly (readonly number[])[]> {
    const { signal } = this.#stop;
    try {
      return await this.#embedder.embed(texts, signal);
    } catch (error) {
      if (signal.aborted || isPassing(error)) throw error;
      // A model that refuses whatever it is given is out of order; nothing is wrong with the texts then.
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
