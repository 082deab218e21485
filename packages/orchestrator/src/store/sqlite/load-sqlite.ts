import type * as Sqlite from 'node:sqlite';
import { sqliteMissing } from '../errors.js';

/**
 * Node's SQLite. Asked for only when it is used: Node warns that it is experimental as soon as somebody imports it, and
 * whoever imports this file on a Node without it is told what is missing.
 *
 * @throws RunStoreError `STORE_UNAVAILABLE` where this Node has none
 */
export function loadSqlite(): typeof Sqlite {
  const sqlite: typeof Sqlite | undefined = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined) throw sqliteMissing();
  return sqlite;
}
