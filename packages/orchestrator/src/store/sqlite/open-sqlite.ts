import { closeSync, existsSync, openSync } from 'node:fs';
import { isSdkError } from '@svc/contracts/sdk-error';
import type { DatabaseSync } from 'node:sqlite';
import { storeUnavailable } from '../errors.js';
import { loadSqlite } from './load-sqlite.js';
import { switchToWal } from './switch-to-wal.js';

/** How long a writer waits for another process, in milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000;

/** How a database is opened. */
export interface OpenSqlite {
  readonly path: string;
  /** Whether a finished write is on disk, or may be lost in a power failure. */
  readonly synchronous: 'full' | 'normal';
  /** Migrates the tables to this release. If it throws, the file is closed again. */
  readonly migrate: (database: DatabaseSync) => void;
}

/**
 * Opens a database of the SDK. @throws RunStoreError `STORE_UNAVAILABLE` when the file cannot be opened, or this Node
 * has no SQLite
 */
export function openSqlite({ path, synchronous, migrate }: OpenSqlite): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = withStoreErrors(path, () => {
    // SQLite would open a different file than the one created here, or none.
    if (path.startsWith('file:')) throw new Error("SQLite takes it for a URL; pass the path without 'file:'");
    createPrivateFile(path);
    return new DatabaseSync(path);
  });
  try {
    withStoreErrors(path, () => {
      switchToWal(database);
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA synchronous = ${synchronous};`);
      migrate(database);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Conversations must not be readable by other users of this machine. SQLite gives its additional files the same
 * permissions.
 */
function createPrivateFile(path: string): void {
  if (path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

function withStoreErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    // A refused migration has its own error.
    throw isSdkError(error) || error instanceof RangeError ? error : storeUnavailable(path, error);
  }
}
