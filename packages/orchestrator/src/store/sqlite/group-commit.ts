import type { DatabaseSync } from 'node:sqlite';
import { storeClosed } from '../errors.js';
import { isDatabaseError } from './database-error.js';

interface Write {
  readonly run: () => void;
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
}

/** Commits what one turn of the event loop wants to write together, so that many runs share one flush to disk. */
export class GroupCommit {
  readonly #database: DatabaseSync;
  #writes: Write[] = [];
  #closed = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Resolves once the write is on disk. The function either writes all it wants or throws before it has written. */
  write<Result>(run: () => Result): Promise<Result> {
    if (this.#closed) return Promise.reject(storeClosed());
    return new Promise((resolve, reject) => {
      let result: { value: Result } | undefined;
      if (this.#writes.length === 0) setImmediate(() => this.#commit());
      this.#writes.push({
        run: () => {
          result = { value: run() };
        },
        settle: () => (result ? resolve(result.value) : undefined),
        reject,
      });
    });
  }

  /** Commits what is left and takes no more. */
  close(): void {
    this.#commit();
    this.#closed = true;
  }

  #commit(): void {
    const writes = this.#writes;
    this.#writes = [];
    if (writes.length === 0) return;
    const done: Write[] = [];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const write of writes) if (attempt(write)) done.push(write);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      for (const { reject } of writes) reject(error);
      return;
    }
    for (const { settle } of done) settle();
  }
}

/** A write that refuses leaves the others alone; a database that fails does not. */
function attempt(write: Write): boolean {
  try {
    write.run();
    return true;
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    write.reject(error);
    return false;
  }
}
