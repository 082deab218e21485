import type { RunOptions } from '../invocation/run-options.js';
import type { MessagesInput } from '../messages/message.js';
import type { ScheduledJob } from '../scheduling/job.js';
import { ScheduleBuilder } from '../scheduling/schedule-builder.js';
import type { Schedule } from '../scheduling/schedule.js';
import type { InvokeResponse } from '../session/invoke-response.js';

/** Runs that a schedule starts: `invoke` takes what the scope's own `invoke` takes. */
export type ScopeSchedule = ScheduleBuilder<[messages: MessagesInput, options?: RunOptions], InvokeResponse>;

/** The jobs of a scope, so that they end with it. */
export class ScopeJobs {
  readonly #invoke: (messages: MessagesInput, options: RunOptions) => Promise<InvokeResponse>;
  readonly #refuseClosed: () => void;
  readonly #jobs = new Set<ScheduledJob>();
  #isClosed = false;

  /** `refuseClosed` throws when the scope was closed. */
  constructor(
    invoke: (messages: MessagesInput, options: RunOptions) => Promise<InvokeResponse>,
    refuseClosed: () => void,
  ) {
    this.#invoke = invoke;
    this.#refuseClosed = refuseClosed;
  }

  /** A builder of jobs that run the scope. */
  build(schedule: Schedule): ScopeSchedule {
    const invoke = async (
      { signal: fired }: { signal: AbortSignal },
      messages: MessagesInput,
      options: RunOptions = {},
    ) => {
      const signal = options.signal ? AbortSignal.any([fired, options.signal]) : fired;
      return this.#invoke(messages, { ...options, signal });
    };
    return new ScheduleBuilder(schedule, { invoke, onStart: (job) => this.#add(job) });
  }

  /** Cancels what the jobs run, and ends them; none starts any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#jobs].map(async (job) => job.stop({ drain: false })));
  }

  #add(job: ScheduledJob): void {
    this.#jobs.add(job);
    void job.finished.then(() => this.#jobs.delete(job));
    if (!this.#isClosed) return;
    void job.stop({ drain: false });
    this.#refuseClosed();
  }
}
