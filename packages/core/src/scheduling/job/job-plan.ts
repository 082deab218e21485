import type { Logger } from '../../logging/logger.js';
import type { Clock } from '../clock/clock.js';
import type { JitterPolicy } from '../schedule/jitter.js';
import type { JobCallbacks } from './job-journal.js';
import type { MisfirePolicy } from '../policy/misfire.js';
import type { OverlapPolicy } from '../policy/overlap.js';
import type { RetryPolicy } from '../policy/retry.js';
import type { Work } from '../fire/run-fire.js';
import type { ScheduleStore } from '../store/schedule-store.js';
import type { Schedule } from '../schedule/schedule.js';

/** The parts of a job. */
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
  /** The lease of a fire, in milliseconds; absent if no other process can see the store. */
  readonly leaseMs: number | undefined;
  readonly callbacks: JobCallbacks<Result>;
  readonly historySize: number;
  readonly clock: Clock;
  readonly keepsAlive: boolean;
  readonly random: () => number;
  readonly newId: () => string;
  readonly logger: Logger;
}
