/** Whether SQLite itself failed: its file is locked, full, gone or corrupt. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

const SQLITE_BUSY = 5;

/** Whether another connection holds a lock. */
export function isBusyError(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
