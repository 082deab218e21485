import { follow, withDeadline } from '../deadline.js';
import type { RunOptions } from '../invocation/run-options.js';
import { getLogger } from '../logging/logger.js';
import type { MessagesInput } from '../messages/message.js';
import type { ScheduledJob } from '../scheduling/job/job.js';
import { ScheduleBuilder } from '../scheduling/schedule-builder.js';
import type { Schedule } from '../scheduling/schedule/schedule.js';
import type { InvokeResponse } from '../session/invoke-response.js';

/** A builder for scheduled runs; its `invoke` has the parameters of the agent's or swarm's own `invoke`. */
export type ScopeSchedule = ScheduleBuilder<[messages: MessagesInput, options?: RunOptions], InvokeResponse>;

/** How long to wait for a job whose callback or store hangs, in milliseconds. */
const STOP_TIMEOUT_MS = 30_000;

/** The operations of a scope that its jobs need. */
interface JobPorts {
  readonly invoke: (messages: MessagesInput, options: RunOptions) => Promise<InvokeResponse>;
  /** Throws if the messages or options are invalid. */
  readonly check: (messages: MessagesInput, options: RunOptions) => void;
  /** Throws if the scope is closed. */
  readonly refuseClosed: () => void;
}

/** The jobs of a scope, which end with it. */
export class ScopeJobs {
  readonly #ports: JobPorts;
  readonly #jobs = new Set<ScheduledJob>();
  #isClosed = false;

  constructor(ports: JobPorts) {
    this.#ports = ports;
  }

  /** Creates a builder of jobs that run the scope. */
  build(schedule: Schedule): ScopeSchedule {
    const invoke = async (
      { signal: fired }: { signal: AbortSignal },
      messages: MessagesInput,
      options: RunOptions = {},
    ) => {
      // AbortSignal.any() leaves a reference in its source signals, and the caller's may live long.
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

  /** Cancels the active runs of the jobs and stops the jobs; no more can be started. */
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

/** Cancels the active runs of a job and waits for it to end, within a time limit. */
async function stopInTime(job: ScheduledJob): Promise<void> {
  const createError = () => new DOMException('The job took too long to end.', 'TimeoutError');
  try {
    await withDeadline({ timeoutMs: STOP_TIMEOUT_MS, createError }, async (signal) =>
      job.stop({ drain: false, signal }),
    );
  } catch (error) {
    const logger = getLogger('svc.core.scheduling');
    logger.warn('A job did not end in time and is no longer waited for: a callback or its store hangs.', {
      job: job.name,
      error,
    });
  }
}
