export type { Clock, ClockTimer } from './scheduling/clock.js';
export type { CronOptions } from './scheduling/cron-schedule.js';
export { ScheduleError } from './scheduling/errors.js';
export type { IntervalOptions } from './scheduling/interval-schedule.js';
export type { Jitter, JitterOptions } from './scheduling/jitter.js';
export type { JobCallbacks } from './scheduling/job-journal.js';
export type { JobStatus } from './scheduling/job-engine.js';
export { listJobs, stopAllJobs } from './scheduling/job-registry.js';
export { ScheduledJob, type StopOptions } from './scheduling/job.js';
export type { ActiveFire, Ledger, SettledFire } from './scheduling/ledger.js';
export { ManualClock } from './scheduling/manual-clock.js';
export { MemoryScheduleStore } from './scheduling/memory-schedule-store.js';
export type { Misfire, MisfireOptions } from './scheduling/misfire.js';
export type { Overlap, OverlapOptions } from './scheduling/overlap.js';
export type { RetryOptions } from './scheduling/retry.js';
export type { FireContext, Work } from './scheduling/run-fire.js';
export type { RunsOptions } from './scheduling/run-feed.js';
export type { JobCounters, RunRecord, RunStatus } from './scheduling/run-record.js';
export {
  ScheduleBuilder,
  type Invoke,
  type ScheduleTarget,
  type StoreOptions,
} from './scheduling/schedule-builder.js';
export type { LedgerChange, ScheduleStore, StoredLedger } from './scheduling/schedule-store.js';
export type { Schedule, UpcomingOptions } from './scheduling/schedule.js';
export { at, cron, every } from './scheduling/schedules.js';
export { sqliteScheduleStore, type SqliteScheduleStoreOptions } from './scheduling/sqlite-schedule-store.js';
