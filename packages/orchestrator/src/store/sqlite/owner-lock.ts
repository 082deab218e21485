import { closeSync, existsSync, fchmodSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { storeInUse } from '../errors.js';
import { loadSqlite } from './load-sqlite.js';

/**
 * Lets one process at a time work on the runs of a file. The lock is the operating system's, on a file beside, so it is
 * gone with its process, however that ends.
 */
export class OwnerLock {
  readonly #path: string;
  #database: DatabaseSync | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes the lock if it is not held already. @throws RunStoreError `STORE_IN_USE` when another process has it */
  take(): void {
    if (this.#database || this.#path === ':memory:') return;
    const { DatabaseSync } = loadSqlite();
    const path = `${this.#path}-owner`;
    giveRightsOf(this.#path, path);
    const database = new DatabaseSync(path);
    try {
      database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
    } catch (error) {
      database.close();
      throw storeInUse(this.#path, error);
    }
    this.#database = database;
  }

  release(): void {
    this.#database?.close();
    this.#database = undefined;
  }
}

/** Makes the file beside one with the rights of that one: who may only read it could hold it all the same. */
function giveRightsOf(original: string, beside: string): void {
  if (existsSync(beside)) return;
  const file = openSync(beside, 'a', 0o600);
  try {
    fchmodSync(file, statSync(original).mode & 0o777);
  } finally {
    closeSync(file);
  }
}
