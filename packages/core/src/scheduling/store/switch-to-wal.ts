import type { DatabaseSync } from 'node:sqlite';

/** How long to wait for other processes that create the same file, in milliseconds. */
const TIMEOUT_MS = 5_000;
const PAUSE_MS = 5;
const SQLITE_BUSY = 5;

/**
 * Switches to WAL, which allows reads during a write. SQLite waits for other processes by itself, except when several
 * create the same file at once.
 */
export function switchToWal(database: DatabaseSync): void {
  const untilMs = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
      if (!isBusy || performance.now() > untilMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
