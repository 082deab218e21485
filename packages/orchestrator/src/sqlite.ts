/** A run store in a SQLite file. */
export { sqliteRunStore, type SqliteRunStoreOptions } from './store/sqlite/sqlite-run-store.js';
