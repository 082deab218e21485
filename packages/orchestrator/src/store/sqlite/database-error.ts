/** Whether SQLite itself failed: its file is locked, full, gone or corrupt. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}
