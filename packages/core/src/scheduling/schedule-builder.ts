import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { kindOf, type ShapeOf } from '../config/options.js';
import { getLogger } from '../logging/logger.js';
import { systemClock, type Clock } from './clock/clock.js';
import { parseOptions, requireFunctions, ScheduleError } from './errors.js';
import { parseJitter, type Jitter } from './schedule/jitter.js';
import { ScheduledJob } from './job/job.js';
import { registerJob } from './job/job-registry.js';
import { parseCallbacks, type JobCallbacks } from './job/job-journal.js';
import type { JobPlan } from './job/job-plan.js';
import { MemoryScheduleStore } from './store/memory-schedule-store.js';
import { parseMisfire, type Misfire } from './policy/misfire.js';
import { parseOverlap, type Overlap } from './policy/overlap.js';
import { parseRetry, type RetryOptions } from './policy/retry.js';
import type { FireContext, Work } from './fire/run-fire.js';
import type { ScheduleStore } from './store/schedule-store.js';
import { listUpcoming, type Schedule, type UpcomingOptions } from './schedule/schedule.js';

/** Runs a fire with the arguments of `invoke`. */
export type Invoke<Input extends readonly unknown[], Result> = (
  fire: FireContext,
  ...input: Input
) => Result | Promise<Result>;

/** The target of a builder, such as an agent. */
export interface ScheduleTarget<Input extends readonly unknown[], Result> {
  invoke: Invoke<Input, Result>;
  /** Throws if the input is invalid, before anything is scheduled. */
  check?: (...input: Input) => void;
  /** Called for each job as it starts. */
  onStart?: (job: ScheduledJob) => void;
}

/** Options of `withStore`. */
export interface StoreOptions {
  /**
   * The lease of a fire: after this time without a renewal, another process takes it over, in milliseconds.
   * @default 30000
   */
  leaseMs?: number | undefined;
}

const StoreOptionsSchema = z.strictObject({
  leaseMs: z.number().min(100).default(30_000),
} satisfies ShapeOf<StoreOptions>);

type Settings = Omit<JobPlan<never>, 'schedule' | 'work' | 'callbacks' | 'store' | 'name' | 'logger'> & {
  readonly name: string | undefined;
  readonly store: ScheduleStore | undefined;
  readonly callbacks: JobCallbacks;
};

const DEFAULTS: Settings = {
  name: undefined,
  store: undefined,
  leaseMs: undefined,
  callbacks: {},
  jitter: undefined,
  retry: parseRetry({}),
  misfire: parseMisfire({}),
  overlap: parseOverlap({}),
  maxRuns: undefined,
  historySize: 1_000,
  clock: systemClock,
  keepsAlive: false,
  random: Math.random,
  newId: randomUUID,
};

let unnamed = 0;

/**
 * Configures a scheduled job. Every method returns a new builder. `invoke` or `run` creates the job, which starts at once.
 */
export class ScheduleBuilder<Input extends readonly unknown[] = never, Result = unknown> {
  readonly #schedule: Schedule;
  readonly #target: ScheduleTarget<Input, Result> | undefined;
  readonly #settings: Settings;

  /** Use `cron`, `every` and `at`, as functions or on an agent, to create builders. */
  constructor(schedule: Schedule, target?: ScheduleTarget<Input, Result>, settings: Partial<Settings> = {}) {
    this.#schedule = schedule;
    this.#target = target;
    this.#settings = { ...DEFAULTS, ...settings };
  }

  /** Sets the name of the job, for lists, logs and its store. */
  withName(name: string): ScheduleBuilder<Input, Result> {
    return this.#with({ name: parseOptions(z.string().trim().min(1), name, 'withName()') });
  }

  /** Shifts each fire by a random time: a number of milliseconds to either side, or bounds and a distribution. */
  withJitter(jitter: Jitter): ScheduleBuilder<Input, Result> {
    return this.#with({ jitter: parseJitter(jitter) });
  }

  /** Retries failed fires. @default one attempt */
  withRetry(retry: RetryOptions): ScheduleBuilder<Input, Result> {
    return this.#with({ retry: parseRetry(retry) });
  }

  /** Sets the policy for fires that could not run on time. @default 'coalesce', for fires more than 30 s late */
  withMisfire(misfire: Misfire): ScheduleBuilder<Input, Result> {
    return this.#with({ misfire: parseMisfire(misfire) });
  }

  /** Sets the policy for a fire while earlier ones are running. @default 'skip', one at a time */
  withOverlap(overlap: Overlap): ScheduleBuilder<Input, Result> {
    return this.#with({ overlap: parseOverlap(overlap) });
  }

  /** Ends the job after this number of fires that actually ran. @default no limit */
  withMaxRuns(maxRuns: number): ScheduleBuilder<Input, Result> {
    return this.#with({ maxRuns: parseOptions(z.int().min(1), maxRuns, 'withMaxRuns()') });
  }

  /** Sets callbacks for fires; later ones replace earlier ones with the same name. */
  withCallbacks(callbacks: JobCallbacks<Result>): ScheduleBuilder<Input, Result> {
    return this.#with({ callbacks: { ...this.#settings.callbacks, ...parseCallbacks(callbacks) } });
  }

  /**
   * Keeps the state of the job in a store, under its name, so that it survives restarts and is shared between
   * processes.
   */
  withStore(store: ScheduleStore, options?: StoreOptions): ScheduleBuilder<Input, Result> {
    return this.#with({
      store: requireFunctions(store, ['load', 'save', 'history', 'close'], 'withStore()'),
      leaseMs: parseOptions(StoreOptionsSchema, options ?? {}, 'withStore()').leaseMs,
    });
  }

  /** Sets how many ended fires `job.history` contains. @default 1000 */
  withHistory(size: number): ScheduleBuilder<Input, Result> {
    return this.#with({ historySize: parseOptions(z.int().min(0), size, 'withHistory()') });
  }

  /** Keeps the process alive while the job is waiting for its next fire. @default the process may exit */
  withKeepAlive(): ScheduleBuilder<Input, Result> {
    return this.#with({ keepsAlive: true });
  }

  /** Sets the clock, for tests. */
  withClock(clock: Clock): ScheduleBuilder<Input, Result> {
    return this.#with({ clock: requireFunctions(clock, ['now', 'startTimer'], 'withClock()') });
  }

  /** Returns the next times of the schedule, before jitter; 10000 at most. */
  upcoming(count: number, options: UpcomingOptions = {}): Date[] {
    const nowMs = this.#settings.clock.now();
    return listUpcoming(this.#schedule, { count, options }, { nowMs, anchorMs: nowMs });
  }

  /** Creates and starts a job that invokes the target of the builder, such as an agent. Invalid arguments throw at once. */
  invoke(...input: Input): ScheduledJob<Result> {
    const target = this.#target;
    if (!target) {
      throw new ScheduleError(
        'This schedule does not belong to an agent. Call run() with a function instead.',
        {
          code: 'SCHEDULE_NOTHING_TO_INVOKE',
        },
      );
    }
    target.check?.(...input);
    return this.run<Result>(async (fire) => target.invoke(fire, ...input));
  }

  /** Creates and starts a job that runs a function. */
  run<Value extends Result>(work: Work<Value>): ScheduledJob<Value> {
    if (typeof work !== 'function') {
      throw new ScheduleError(`run() expects a function, got ${kindOf(work)}.`, {
        code: 'SCHEDULE_INVALID_WORK',
      });
    }
    const settings = this.#settings;
    const { store, name: ownName } = settings;
    if (store && ownName === undefined) {
      throw new ScheduleError('A job with a store must have a name. Call withName().', {
        code: 'SCHEDULE_NAME_MISSING',
      });
    }
    const name = ownName ?? `${this.#schedule.definition} #${(unnamed += 1)}`;
    const { jitter: policy } = settings;
    const jitter = policy && store ? { ...policy, seed: policy.seed ?? name } : policy;
    const logger = getLogger('svc.core.scheduling').child({ job: name });
    const plan = {
      ...settings,
      name,
      jitter,
      logger,
      schedule: this.#schedule,
      work,
      // Nobody else sees this one, and the job itself keeps its history.
      store: store ?? new MemoryScheduleStore(0),
    };
    const job = new ScheduledJob<Value>(plan);
    registerJob(job);
    this.#target?.onStart?.(job);
    return job;
  }

  #with(change: Partial<Settings>): ScheduleBuilder<Input, Result> {
    return new ScheduleBuilder(this.#schedule, this.#target, { ...this.#settings, ...change });
  }
}
