/** A run store in a SQLite file. */
export { sqliteRunStore, type SqliteRunStoreOptions } from './store/sqlite/sqlite-run-store.js';
export type { RunStore } from '@svc/contracts/orchestrator';
