import type { Logger } from '../logging/logger.js';
import type { Clock } from './clock.js';
import type { JitterPolicy } from './jitter.js';
import type { JobCallbacks } from './job-journal.js';
import type { MisfirePolicy } from './misfire.js';
import type { OverlapPolicy } from './overlap.js';
import type { RetryPolicy } from './retry.js';
import type { Work } from './run-fire.js';
import type { ScheduleStore } from './schedule-store.js';
import type { Schedule } from './schedule.js';

/** All that a job is made of. */
export interface JobPlan<Result> {
  readonly name: string;
  readonly schedule: Schedule;
  readonly work: Work<Result>;
  readonly jitter: JitterPolicy | undefined;
  readonly retry: RetryPolicy;
  readonly misfire: MisfirePolicy;
  readonly overlap: OverlapPolicy;
  readonly maxRuns: number | undefined;
  readonly store: ScheduleStore;
  /** How long a fire is held without a sign of life; absent when no other process can see the store. */
  readonly leaseMs: number | undefined;
  readonly callbacks: JobCallbacks<Result>;
  readonly historySize: number;
  readonly clock: Clock;
  readonly keepsAlive: boolean;
  readonly random: () => number;
  readonly newId: () => string;
  readonly logger: Logger;
}
