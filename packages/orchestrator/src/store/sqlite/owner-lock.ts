import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { storeInUse, storeUnavailable } from '../errors.js';
import { isBusyError } from './database-error.js';
import { loadSqlite } from './load-sqlite.js';

/**
 * Lets one process at a time work on the runs of a file. The operating system's lock on a file next to it ends with the
 * process, however that ends.
 */
export class OwnerLock {
  readonly #path: string;
  #database: DatabaseSync | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Takes the lock unless it is already held.
   * @throws RunStoreError `STORE_IN_USE` when another process has it; `STORE_UNAVAILABLE` when its file cannot be used,
   *   as on a full disk
   */
  take(): void {
    if (this.#database || this.#path === ':memory:') return;
    const { DatabaseSync } = loadSqlite();
    let path = `${this.#path}-owner`;
    let database: DatabaseSync | undefined;
    try {
      path = `${withoutLink(this.#path)}-owner`;
      createWithModeOf(this.#path, path);
      database = new DatabaseSync(path);
      database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
    } catch (error) {
      database?.close();
      throw isBusyError(error) ? storeInUse(this.#path, error) : storeUnavailable(path, error);
    }
    this.#database = database;
  }

  release(): void {
    this.#database?.close();
    this.#database = undefined;
  }
}

/** The file that a link leads to: processes that reach it by different names must meet at the same lock file. */
function withoutLink(path: string): string {
  return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
}

/**
 * Creates the lock file with the permissions of the original: a user who may only read that must not be able to lock
 * it.
 */
function createWithModeOf(original: string, path: string): void {
  if (existsSync(path)) return;
  const mode = statSync(original).mode & 0o777;
  const file = openSync(path, 'a', mode);
  try {
    // Only if the umask took some away: Node's permission model has no fchmod.
    if ((fstatSync(file).mode & 0o777) !== mode) fchmodSync(file, mode);
  } finally {
    closeSync(file);
  }
}
