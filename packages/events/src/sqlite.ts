export { sqliteEventLog } from './log/sqlite-log.js';
export type { SqliteEventLogOptions } from './log/sqlite-log.js';
export type { EventLog } from './log/event-log.js';
