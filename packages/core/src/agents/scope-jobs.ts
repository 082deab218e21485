import { follow, withDeadline } from '../deadline.js';
import type { RunOptions } from '../invocation/run-options.js';
import { getLogger } from '../logging/logger.js';
import type { MessagesInput } from '../messages/message.js';
import type { ScheduledJob } from '../scheduling/job.js';
import { ScheduleBuilder } from '../scheduling/schedule-builder.js';
import type { Schedule } from '../scheduling/schedule.js';
import type { InvokeResponse } from '../session/invoke-response.js';

/** Runs that a schedule starts: `invoke` takes what the scope's own `invoke` takes. */
export type ScopeSchedule = ScheduleBuilder<[messages: MessagesInput, options?: RunOptions], InvokeResponse>;

/** How long a job is waited for whose callback, or whose store, does not end, in milliseconds. */
const STOP_TIMEOUT_MS = 30_000;

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
      // Node keeps something of each AbortSignal.any in a signal that lives on, as the caller's may.
      const controller = new AbortController();
      follow(fired, controller);
      const stopFollowing = follow(options?.signal, controller);
      try {
        return await this.#ports.invoke(messages, { ...options, signal: controller.signal });
      } finally {
        stopFollowing();
      }
    };
    const check = (messages: MessagesInput, options: RunOptions = {}) => this.#ports.check(messages, options);
    return new ScheduleBuilder(schedule, { check, invoke, onStart: (job) => this.#add(job) });
  }

  /** Cancels what the jobs run, and ends them; none starts any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#jobs].map(stopInTime));
  }

  #add(job: ScheduledJob): void {
    this.#jobs.add(job);
    void job.finished.then(() => this.#jobs.delete(job));
    if (!this.#isClosed) return;
    void job.stop({ drain: false });
    this.#ports.refuseClosed();
  }
}

/** Cancels what a job runs and waits until it is over, or was waited for long enough. */
async function stopInTime(job: ScheduledJob): Promise<void> {
  const createError = () => new DOMException('The job took too long to end.', 'TimeoutError');
  try {
    await withDeadline({ timeoutMs: STOP_TIMEOUT_MS, createError }, async (signal) =>
      job.stop({ drain: false, signal }),
    );
  } catch (error) {
    const logger = getLogger('svc.core.scheduling');
    logger.warn('A job did not end and is waited for no more; a callback or its store hangs.', {
      job: job.name,
      error,
    });
  }
}
