export { sqliteEventLog } from './log/sqlite-log.js';
export type { SqliteEventLogOptions } from './log/sqlite-log.js';
