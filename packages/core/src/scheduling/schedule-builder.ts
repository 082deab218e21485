import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ShapeOf } from '../config/options.js';
import { getLogger } from '../logging/logger.js';
import { systemClock, type Clock } from './clock.js';
import { parseOptions, requireFunctions, ScheduleError } from './errors.js';
import { parseJitter, type Jitter } from './jitter.js';
import { ScheduledJob } from './job.js';
import { registerJob } from './job-registry.js';
import { parseCallbacks, type JobCallbacks } from './job-journal.js';
import type { JobPlan } from './job-plan.js';
import { MemoryScheduleStore } from './memory-schedule-store.js';
import { parseMisfire, type Misfire } from './misfire.js';
import { parseOverlap, type Overlap } from './overlap.js';
import { parseRetry, type RetryOptions } from './retry.js';
import type { FireContext, Work } from './run-fire.js';
import type { ScheduleStore } from './schedule-store.js';
import { listUpcoming, type Schedule, type UpcomingOptions } from './schedule.js';

/** Does with a fire what `invoke` was given; an agent hands in its own. */
export type Invoke<Input extends readonly unknown[], Result> = (
  fire: FireContext,
  ...input: Input
) => Result | Promise<Result>;

/** What a builder belongs to. */
export interface ScheduleTarget<Input extends readonly unknown[], Result> {
  invoke: Invoke<Input, Result>;
  /** Throws what is wrong with the input, before anything is scheduled. */
  check?: (...input: Input) => void;
  /** Told of each job as it starts. */
  onStart?: (job: ScheduledJob) => void;
}

/** What `withStore` takes besides the store. */
export interface StoreOptions {
  /** How long a fire is held without a sign of life of its process, in milliseconds. @default 30000 */
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
 * Says how something fires, step by step; each step gives a new builder. `invoke` or `run` makes the job, which starts
 * at once.
 */
export class ScheduleBuilder<Input extends readonly unknown[] = never, Result = unknown> {
  readonly #schedule: Schedule;
  readonly #target: ScheduleTarget<Input, Result> | undefined;
  readonly #settings: Settings;

  /** Builders are made by `cron`, `every` and `at`, here or on an agent. */
  constructor(schedule: Schedule, target?: ScheduleTarget<Input, Result>, settings: Partial<Settings> = {}) {
    this.#schedule = schedule;
    this.#target = target;
    this.#settings = { ...DEFAULTS, ...settings };
  }

  /** Names the job, for lists and logs, and for its store. */
  withName(name: string): ScheduleBuilder<Input, Result> {
    return this.#with({ name: parseOptions(z.string().trim().min(1), name, 'withName()') });
  }

  /** Shifts each fire: a number of milliseconds to either side, or bounds and a distribution. */
  withJitter(jitter: Jitter): ScheduleBuilder<Input, Result> {
    return this.#with({ jitter: parseJitter(jitter) });
  }

  /** Tries a failed fire again. @default one attempt */
  withRetry(retry: RetryOptions): ScheduleBuilder<Input, Result> {
    return this.#with({ retry: parseRetry(retry) });
  }

  /** What happens to fires that could not run on time. @default 'coalesce', 30 s late at most */
  withMisfire(misfire: Misfire): ScheduleBuilder<Input, Result> {
    return this.#with({ misfire: parseMisfire(misfire) });
  }

  /** What happens to a fire while earlier ones run. @default 'skip', one at a time */
  withOverlap(overlap: Overlap): ScheduleBuilder<Input, Result> {
    return this.#with({ overlap: parseOverlap(overlap) });
  }

  /** Ends the job after so many fires that really ran. @default no limit */
  withMaxRuns(maxRuns: number): ScheduleBuilder<Input, Result> {
    return this.#with({ maxRuns: parseOptions(z.int().min(1), maxRuns, 'withMaxRuns()') });
  }

  /** Tells of fires; later callbacks of the same name replace earlier ones. */
  withCallbacks(callbacks: JobCallbacks<Result>): ScheduleBuilder<Input, Result> {
    return this.#with({ callbacks: { ...this.#settings.callbacks, ...parseCallbacks(callbacks) } });
  }

  /** Keeps what the job has to remember in a store, under its name, so that it survives restarts and is shared by processes. */
  withStore(store: ScheduleStore, options?: StoreOptions): ScheduleBuilder<Input, Result> {
    return this.#with({
      store: requireFunctions(store, ['load', 'save', 'history', 'close'], 'withStore()'),
      leaseMs: parseOptions(StoreOptionsSchema, options ?? {}, 'withStore()').leaseMs,
    });
  }

  /** How many ended fires `job.history` holds. @default 1000 */
  withHistory(size: number): ScheduleBuilder<Input, Result> {
    return this.#with({ historySize: parseOptions(z.int().min(0), size, 'withHistory()') });
  }

  /** Keeps the process alive while the job has something to wait for. @default it does not */
  withKeepAlive(): ScheduleBuilder<Input, Result> {
    return this.#with({ keepsAlive: true });
  }

  /** Lives by another clock; for tests. */
  withClock(clock: Clock): ScheduleBuilder<Input, Result> {
    return this.#with({ clock: requireFunctions(clock, ['now', 'startTimer'], 'withClock()') });
  }

  /** The next moments of the schedule, before jitter; 10000 at most. */
  upcoming(count: number, options: UpcomingOptions = {}): Date[] {
    const nowMs = this.#settings.clock.now();
    return listUpcoming(this.#schedule, { count, options }, { nowMs, anchorMs: nowMs });
  }

  /** Makes and starts a job that invokes what the builder comes from, such as an agent. What it would refuse each time is thrown at once. */
  invoke(...input: Input): ScheduledJob<Result> {
    const target = this.#target;
    if (!target) {
      throw new ScheduleError('This schedule belongs to no agent; give its work to run().', {
        code: 'SCHEDULE_NOTHING_TO_INVOKE',
      });
    }
    target.check?.(...input);
    return this.run<Result>(async (fire) => target.invoke(fire, ...input));
  }

  /** Makes and starts a job of any work. */
  run<Value extends Result>(work: Work<Value>): ScheduledJob<Value> {
    if (typeof work !== 'function') {
      throw new ScheduleError('run() needs a function.', { code: 'SCHEDULE_INVALID_WORK' });
    }
    const settings = this.#settings;
    const { store, name: givenName } = settings;
    if (store && givenName === undefined) {
      throw new ScheduleError('A job with a store needs a name; call withName().', {
        code: 'SCHEDULE_NAME_MISSING',
      });
    }
    const name = givenName ?? `${this.#schedule.definition} #${(unnamed += 1)}`;
    const { jitter: given } = settings;
    const jitter = given && store ? { ...given, seed: given.seed ?? name } : given;
    const logger = getLogger('svc.core.scheduling').child({ job: name });
    const plan = {
      ...settings,
      name,
      jitter,
      logger,
      schedule: this.#schedule,
      work,
      store: store ?? new MemoryScheduleStore(),
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
