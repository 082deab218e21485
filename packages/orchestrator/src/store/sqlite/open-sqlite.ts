import { closeSync, existsSync, openSync } from 'node:fs';
import { isSdkError } from '@svc/contracts/sdk-error';
import type { DatabaseSync } from 'node:sqlite';
import { storeUnavailable } from '../errors.js';
import { loadSqlite } from './load-sqlite.js';
import { switchToWal } from './switch-to-wal.js';

/** How a database is opened. */
export interface OpenSqlite {
  readonly path: string;
  /** Whether a write is on disk when it is done, or may be lost with the machine's power. */
  readonly synchronous: 'full' | 'normal';
  /** Brings the tables up to this release. Where it throws, the file is closed again. */
  readonly migrate: (database: DatabaseSync) => void;
}

/** Opens a database of ours. @throws RunStoreError `STORE_UNAVAILABLE` when the file cannot be opened, or this Node has no SQLite */
export function openSqlite({ path, synchronous, migrate }: OpenSqlite): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = reaching(path, () => {
    keepPrivate(path);
    return new DatabaseSync(path);
  });
  try {
    reaching(path, () => {
      switchToWal(database);
      database.exec(`PRAGMA busy_timeout = 5000; PRAGMA synchronous = ${synchronous};`);
      migrate(database);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What people said is nobody else's to read on this machine. The files that SQLite makes beside have the same rights. */
function keepPrivate(path: string): void {
  if (path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

function reaching<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    // What a migration refuses says so itself.
    throw isSdkError(error) || error instanceof RangeError ? error : storeUnavailable(path, error);
  }
}
