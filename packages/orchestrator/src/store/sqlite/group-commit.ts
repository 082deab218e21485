import type { DatabaseSync } from 'node:sqlite';
import { storeClosed, storeFailed } from '../errors.js';
import { isDatabaseError } from './database-error.js';

interface Write {
  /** Writes, and returns a function to call once the write is on disk. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

/** Commits all writes of one turn of the event loop together, so that many runs share one flush to disk. */
export class GroupCommit {
  readonly #database: DatabaseSync;
  #writes: Write[] = [];
  #closed = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Resolves once the write is on disk. The function may only throw before it has written.
   * @throws RunStoreError `STORE_UNAVAILABLE` when the database fails, as on a full disk
   */
  write<Result>(run: () => Result): Promise<Result> {
    if (this.#closed) return Promise.reject(storeClosed());
    return new Promise((resolve, reject) => {
      if (this.#writes.length === 0) setImmediate(() => this.#commit());
      const write = () => {
        const result = run();
        return () => resolve(result);
      };
      this.#writes.push({ run: write, reject });
    });
  }

  /** Commits what is left and accepts no more. */
  close(): void {
    this.#commit();
    this.#closed = true;
  }

  #commit(): void {
    const writes = this.#writes;
    this.#writes = [];
    if (writes.length === 0) return;
    let done: (() => void)[];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      done = writes.flatMap((write) => attempt(write) ?? []);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      const failure = isDatabaseError(error) ? storeFailed('written', error) : error;
      for (const { reject } of writes) reject(failure);
      return;
    }
    for (const settle of done) settle();
  }
}

/** A write that throws does not affect the others, unless the database failed. */
function attempt({ run, reject }: Write): (() => void) | undefined {
  try {
    return run();
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    reject(error);
    return undefined;
  }
}
