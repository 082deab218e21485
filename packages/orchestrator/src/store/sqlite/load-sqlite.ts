import type * as Sqlite from 'node:sqlite';
import { sqliteMissing } from '../errors.js';

/**
 * Loads Node's SQLite on first use: importing it at once would print Node's experimental warning, and fail without an
 * explanation on a Node without it.
 *
 * @throws RunStoreError `STORE_UNAVAILABLE` when this Node has none
 */
export function loadSqlite(): typeof Sqlite {
  const sqlite: typeof Sqlite | undefined = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined) throw sqliteMissing();
  return sqlite;
}
