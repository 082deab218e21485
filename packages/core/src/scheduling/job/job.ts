import * as z from 'zod';
import type { ShapeOf } from '../../config/options.js';
import { raceAbort } from '../../deadline.js';
import { parseOptions } from '../errors.js';
import { JobEngine, type JobStatus } from './job-engine.js';
import type { JobPlan } from './job-plan.js';
import { parseRunsOptions, type RunsOptions } from './run-feed.js';
import type { JobCounters, RunRecord } from '../fire/run-record.js';
import { listUpcoming, type UpcomingOptions } from '../schedule/schedule.js';

/** Options of `stop`. */
export interface StopOptions {
  /** Whether running fires may finish; otherwise they are cancelled. @default true */
  drain?: boolean | undefined;
  /** Stops waiting: running fires are cancelled, and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

const StopOptionsSchema = z.strictObject({
  drain: z.boolean().default(true),
  signal: z.instanceof(AbortSignal).optional(),
} satisfies ShapeOf<StopOptions>);

const TriggerOptionsSchema = z.strictObject({ signal: z.instanceof(AbortSignal).optional() });

/** A scheduled job. It is active from its creation until it is stopped or has nothing left to fire. */
export class ScheduledJob<Result = unknown> {
  readonly name: string;
  readonly #plan: JobPlan<Result>;
  readonly #engine: JobEngine<Result>;

  /** Use a {@link ScheduleBuilder} to create jobs. */
  constructor(plan: JobPlan<Result>) {
    this.name = plan.name;
    this.#plan = plan;
    this.#engine = new JobEngine(plan);
  }

  get status(): JobStatus {
    return this.#engine.status;
  }

  /**
   * The time of the next fire, including jitter. Undefined if the job is paused or nothing is left to fire, and until a new
   * job has read its store, a moment after its creation even without one; `upcoming` answers at once.
   */
  get nextRunAt(): Date | undefined {
    const dueMs = this.#engine.nextDueMs;
    return dueMs === undefined ? undefined : new Date(dueMs);
  }

  /** The ended fires, oldest first: those restored from a store, and those that this process saw. */
  get history(): readonly RunRecord<Result>[] {
    return this.#engine.journal.history;
  }

  /** The number of fires by outcome, since this job object was created. */
  get counters(): JobCounters {
    return this.#engine.journal.counters;
  }

  /** Resolves when the job has ended, for whatever reason. Never rejects. */
  get finished(): Promise<void> {
    return this.#engine.over;
  }

  /** Returns the next times of the schedule, before jitter; 10000 at most. */
  upcoming(count: number, options: UpcomingOptions = {}): Date[] {
    const start = { nowMs: this.#plan.clock.now(), anchorMs: this.#engine.anchorMs };
    return listUpcoming(this.#plan.schedule, { count, options }, start);
  }

  /** Starts no scheduled fire in this process until {@link resume}; running and queued fires continue. */
  pause(): void {
    this.#engine.pause();
  }

  /** Resumes with the fires after now. Those during the pause are dropped and do not count as misfires. */
  async resume(): Promise<void> {
    await this.#engine.resume();
  }

  /**
   * Fires now, paused or not, without jitter; the overlap policy and `maxRuns` apply. Resolves when the fire has ended,
   * whatever its outcome. If the job ends while another process has the fire, the record is `interrupted`. Rejects with a
   * {@link ScheduleError} if the job has ended or has had all its runs. A signal stops waiting and rejects with its reason;
   * the fire continues.
   */
  async trigger(options?: { signal?: AbortSignal | undefined }): Promise<RunRecord<Result>> {
    const { signal } = parseOptions(TriggerOptionsSchema, options ?? {}, 'trigger()');
    signal?.throwIfAborted();
    return raceAbort(this.#engine.trigger(), signal);
  }

  /** Yields the records of fires as they end, from the first pull until the job has ended. */
  runs(options: RunsOptions = {}): AsyncGenerator<RunRecord<Result>, void, void> {
    return this.#engine.journal.runs(parseRunsOptions(options));
  }

  /**
   * Stops the job: queued fires are cancelled, running ones may finish or are cancelled. Waits for them and for callbacks,
   * unless it is called from the job's own work or one of its callbacks. Stopping twice is safe.
   */
  async stop(options?: StopOptions): Promise<void> {
    const { drain, signal } = parseOptions(StopOptionsSchema, options ?? {}, 'stop()');
    const { fires, journal } = this.#engine;
    const abort = () => fires.abortAll('the job was stopped');
    signal?.addEventListener('abort', abort, { once: true });
    // A signal that has aborted already sends no event, and the job ends all the same.
    const isCut = () => !drain || signal?.aborted === true;
    try {
      if (isCut()) abort();
      const windingDown = this.#engine.windDown('the job was stopped').then(async () => {
        // Fires that started while the stop was being written are stopped as well.
        if (isCut()) abort();
        await fires.settled();
        if (!fires.isInside && !journal.isInside) await this.#engine.over;
      });
      await raceAbort(windingDown, signal);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Stops the job and lets running fires finish. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
