import * as z from 'zod';
import type { ShapeOf } from '../config/options.js';
import { raceAbort } from '../deadline.js';
import { parseOptions } from './errors.js';
import { JobEngine, type JobStatus } from './job-engine.js';
import type { JobPlan } from './job-plan.js';
import { parseRunsOptions, type RunsOptions } from './run-feed.js';
import type { JobCounters, RunRecord } from './run-record.js';
import { listUpcoming, type UpcomingOptions } from './schedule.js';

/** What `stop` takes. */
export interface StopOptions {
  /** Whether running fires may end by themselves; otherwise they are cancelled. @default true */
  drain?: boolean | undefined;
  /** Ends the wait: running fires are cancelled, and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

const StopOptionsSchema = z.strictObject({
  drain: z.boolean().default(true),
  signal: z.instanceof(AbortSignal).optional(),
} satisfies ShapeOf<StopOptions>);

const TriggerOptionsSchema = z.strictObject({ signal: z.instanceof(AbortSignal).optional() });

/** Work that fires by a schedule, from the moment it was made until it is stopped or has nothing left to fire. */
export class ScheduledJob<Result = unknown> {
  readonly name: string;
  readonly #plan: JobPlan<Result>;
  readonly #engine: JobEngine<Result>;

  /** Jobs are made by a {@link ScheduleBuilder}. */
  constructor(plan: JobPlan<Result>) {
    this.name = plan.name;
    this.#plan = plan;
    this.#engine = new JobEngine(plan);
  }

  get status(): JobStatus {
    return this.#engine.status;
  }

  /** When it fires next, jitter included; undefined while it is paused or when nothing is left. */
  get nextRunAt(): Date | undefined {
    const dueMs = this.#engine.nextDueMs;
    return dueMs === undefined ? undefined : new Date(dueMs);
  }

  /** The fires that are over, oldest first: what a store knew from before, and what this process saw. */
  get history(): readonly RunRecord<Result>[] {
    return this.#engine.journal.history;
  }

  /** How many fires came to what since this job object was made. */
  get counters(): JobCounters {
    return this.#engine.journal.counters;
  }

  /** Resolves when the job is over, for whatever reason. It never rejects. */
  get finished(): Promise<void> {
    return this.#engine.over;
  }

  /** The next moments of the schedule, before jitter; 10000 at most. */
  upcoming(count: number, options: UpcomingOptions = {}): Date[] {
    const from = { nowMs: this.#plan.clock.now(), anchorMs: this.#engine.anchorMs };
    return listUpcoming(this.#plan.schedule, { count, options }, from);
  }

  /** Takes up no scheduled fire in this process until {@link resume}; what runs or waits for its turn goes on. */
  pause(): void {
    this.#engine.pause();
  }

  /** Goes on with the fires after now. Those of the pause are let go and are no misfires. */
  async resume(): Promise<void> {
    await this.#engine.resume();
  }

  /**
   * Fires now, paused or not, without jitter. The overlap policy and `maxRuns` hold. Resolves when the fire is over,
   * whatever it came to, or the job is, while another process has the fire: with `interrupted` then. A job that is over
   * or has had all its runs rejects with a {@link ScheduleError}. A signal ends the wait, with its reason; the fire goes on.
   */
  async trigger(options?: { signal?: AbortSignal | undefined }): Promise<RunRecord<Result>> {
    const { signal } = parseOptions(TriggerOptionsSchema, options ?? {}, 'trigger()');
    signal?.throwIfAborted();
    return raceAbort(this.#engine.trigger(), signal);
  }

  /** The records of fires as they come to their end, from the first pull on, until the job is over. */
  runs(options: RunsOptions = {}): AsyncGenerator<RunRecord<Result>, void, void> {
    return this.#engine.journal.runs(parseRunsOptions(options));
  }

  /**
   * Fires no more: what waits is cancelled, what runs may end or is cancelled. It waits for that and for callbacks, but
   * not where it is called from the job's own work or from one of its callbacks. Stopping twice is fine.
   */
  async stop(options?: StopOptions): Promise<void> {
    const { drain, signal } = parseOptions(StopOptionsSchema, options ?? {}, 'stop()');
    const { fires, journal } = this.#engine;
    const abort = () => fires.abortAll('the job was stopped');
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      if (!drain) abort();
      const winding = this.#engine.windDown('the job was stopped').then(async () => {
        // What began while the stop was written is told as well.
        if (!drain) abort();
        await fires.settled();
        if (!fires.isInside && !journal.isInside) await this.#engine.over;
      });
      await raceAbort(winding, signal);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Stops and drains. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
