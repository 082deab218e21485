export type { Clock, ClockTimer } from './scheduling/clock/clock.js';
export type { CronOptions } from './scheduling/schedule/cron-schedule.js';
export { ScheduleError } from './scheduling/errors.js';
export type { IntervalOptions } from './scheduling/schedule/interval-schedule.js';
export type { Jitter, JitterOptions } from './scheduling/schedule/jitter.js';
export type { JobCallbacks } from './scheduling/job/job-journal.js';
export type { JobStatus } from './scheduling/job/job-engine.js';
export { listJobs, stopAllJobs } from './scheduling/job/job-registry.js';
export { ScheduledJob, type StopOptions } from './scheduling/job/job.js';
export type { ActiveFire, Ledger, SettledFire } from './scheduling/store/ledger.js';
export { ManualClock } from './scheduling/clock/manual-clock.js';
export { MemoryScheduleStore } from './scheduling/store/memory-schedule-store.js';
export type { Misfire, MisfireOptions } from './scheduling/policy/misfire.js';
export type { Overlap, OverlapOptions } from './scheduling/policy/overlap.js';
export type { RetryOptions } from './scheduling/policy/retry.js';
export type { FireContext, Work } from './scheduling/fire/run-fire.js';
export type { RunsOptions } from './scheduling/job/run-feed.js';
export type { JobCounters, RunRecord, RunStatus } from './scheduling/fire/run-record.js';
export {
  ScheduleBuilder,
  type Invoke,
  type ScheduleTarget,
  type StoreOptions,
} from './scheduling/schedule-builder.js';
export type { LedgerChange, ScheduleStore, StoredLedger } from './scheduling/store/schedule-store.js';
export type { Schedule, UpcomingOptions } from './scheduling/schedule/schedule.js';
export { at, cron, every } from './scheduling/schedules.js';
export {
  sqliteScheduleStore,
  type SqliteScheduleStoreOptions,
} from './scheduling/store/sqlite-schedule-store.js';
