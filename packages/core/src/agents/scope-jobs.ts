import type { RunOptions } from '../invocation/run-options.js';
import type { MessagesInput } from '../messages/message.js';
import type { ScheduledJob } from '../scheduling/job.js';
import { ScheduleBuilder } from '../scheduling/schedule-builder.js';
import type { Schedule } from '../scheduling/schedule.js';
import type { InvokeResponse } from '../session/invoke-response.js';

/** Runs that a schedule starts: `invoke` takes what the scope's own `invoke` takes. */
export type ScopeSchedule = ScheduleBuilder<[messages: MessagesInput, options?: RunOptions], InvokeResponse>;

/** What jobs need of their scope. */
interface JobPorts {
  readonly invoke: (messages: MessagesInput, options: RunOptions) => Promise<InvokeResponse>;
  /** Throws what is wrong with messages and options. */
  readonly check: (messages: MessagesInput, options: RunOptions) => void;
  /** Throws when the scope was closed. */
  readonly refuseClosed: () => void;
}

/** The jobs of a scope, so that they end with it. */
export class ScopeJobs {
  readonly #ports: JobPorts;
  readonly #jobs = new Set<ScheduledJob>();
  #isClosed = false;

  constructor(ports: JobPorts) {
    this.#ports = ports;
  }

  /** A builder of jobs that run the scope. */
  build(schedule: Schedule): ScopeSchedule {
    const invoke = async (
      { signal: fired }: { signal: AbortSignal },
      messages: MessagesInput,
      options: RunOptions = {},
    ) => {
      const signal = options?.signal ? AbortSignal.any([fired, options.signal]) : fired;
      return this.#ports.invoke(messages, { ...options, signal });
    };
    const check = (messages: MessagesInput, options: RunOptions = {}) => this.#ports.check(messages, options);
    return new ScheduleBuilder(schedule, { check, invoke, onStart: (job) => this.#add(job) });
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
    this.#ports.refuseClosed();
  }
}
