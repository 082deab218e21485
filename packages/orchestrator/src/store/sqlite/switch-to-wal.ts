import type { DatabaseSync } from 'node:sqlite';
import { isBusyError } from './database-error.js';

/** How long to wait for other processes that create the same file, in milliseconds. */
const TIMEOUT_MS = 5_000;
const PAUSE_MS = 5;

/**
 * Lets others read while one writes. SQLite waits for locks by itself, but returns "busy" to some of those that create
 * a file at once.
 */
export function switchToWal(database: DatabaseSync): void {
  const untilMs = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusyError(error) || performance.now() > untilMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
