import { AsyncLocalStorage } from 'node:async_hooks';
import * as z from 'zod';
import type { Logger } from '../../logging/logger.js';
import { parseOptions } from '../errors.js';
import { RunFeed, type RunsConfig } from './run-feed.js';
import { describeError, type JobCounters, type RunRecord, type RunStatus } from '../fire/run-record.js';

/** Callbacks of a job. One that throws is logged and counted; the job continues. */
export interface JobCallbacks<Result = unknown> {
  /** Called when a fire starts to run. */
  onFire?(run: RunRecord<Result>): void | Promise<void>;
  /** Called when a run succeeded. */
  onSuccess?(run: RunRecord<Result>): void | Promise<void>;
  /** Called when a run failed after all its attempts, or was interrupted. */
  onError?(run: RunRecord<Result>): void | Promise<void>;
  /** Called when a fire was skipped or missed. */
  onSkip?(run: RunRecord<Result>): void | Promise<void>;
  /** Called when a fire was replaced or stopped. */
  onCancel?(run: RunRecord<Result>): void | Promise<void>;
}

const callbackSchema = z
  .custom<() => void>((value) => typeof value === 'function', 'must be a function')
  .optional();
const CallbacksSchema = z.strictObject({
  onFire: callbackSchema,
  onSuccess: callbackSchema,
  onError: callbackSchema,
  onSkip: callbackSchema,
  onCancel: callbackSchema,
} satisfies Record<keyof JobCallbacks, z.ZodType>);

/** Parses callbacks. Unknown names and values other than functions are refused. */
export function parseCallbacks<Result>(callbacks: JobCallbacks<Result>): JobCallbacks<Result> {
  parseOptions(CallbacksSchema, callbacks, 'withCallbacks()');
  return Object.fromEntries(Object.entries(callbacks).filter(([, callback]) => callback != null));
}

const CALLBACK_NAMES = {
  running: 'onFire',
  succeeded: 'onSuccess',
  failed: 'onError',
  interrupted: 'onError',
  cancelled: 'onCancel',
  missed: 'onSkip',
  skipped_misfire: 'onSkip',
  skipped_jitter: 'onSkip',
  skipped_overlap: 'onSkip',
} satisfies Record<RunStatus, keyof JobCallbacks>;

const COUNTER_NAMES = {
  running: 'runs',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  missed: 'missed',
  skipped_misfire: 'skippedMisfire',
  skipped_jitter: 'skippedJitter',
  skipped_overlap: 'skippedOverlap',
} satisfies Record<RunStatus, keyof JobCounters>;

/** The running callback, so that one that stops its job does not wait for itself. */
const currentCallback = new AsyncLocalStorage<object>();

/** The parts of a job's plan that its journal uses. */
interface JournalPlan<Result> {
  readonly callbacks: JobCallbacks<Result>;
  readonly historySize: number;
  readonly logger: Logger;
}

/** The history and the counters of a job, its callbacks and the readers of its records. */
export class JobJournal<Result> {
  readonly #plan: JournalPlan<Result>;
  readonly #history: RunRecord<Result>[] = [];
  readonly #feeds = new Set<RunFeed<RunRecord<Result>>>();
  readonly #pendingCallbacks = new Map<object, Promise<void>>();
  readonly #counters = {
    runs: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    interrupted: 0,
    missed: 0,
    skippedMisfire: 0,
    skippedJitter: 0,
    skippedOverlap: 0,
    coalesced: 0,
    callbackErrors: 0,
  };
  #hasEnded = false;

  constructor(plan: JournalPlan<Result>) {
    this.#plan = plan;
  }

  get history(): readonly RunRecord<Result>[] {
    return [...this.#history];
  }

  get counters(): JobCounters {
    return { ...this.#counters };
  }

  /** Whether the caller is a callback of this job. */
  get isInside(): boolean {
    const own = currentCallback.getStore();
    return own !== undefined && this.#pendingCallbacks.has(own);
  }

  /** Restores the history from a store, without calling back. */
  restore(records: readonly RunRecord<Result>[]): void {
    this.#history.unshift(...records);
    this.#trim();
  }

  /** Records a fire that has started or ended. */
  add(record: RunRecord<Result>): void {
    const { status } = record;
    // A later attempt belongs to a run that was already counted.
    if (status !== 'running' || record.attempt === 1) this.#counters[COUNTER_NAMES[status]] += 1;
    if (status !== 'running') {
      this.#counters.coalesced += record.coalesced;
      this.#history.push(record);
      this.#trim();
      for (const feed of this.#feeds) feed.push(record);
    }
    this.#callBack(CALLBACK_NAMES[status], record);
  }

  /** Yields the records from now on. */
  async *runs({ signal, maxBuffered }: RunsConfig): AsyncGenerator<RunRecord<Result>, void, void> {
    if (this.#hasEnded) return;
    const feed = new RunFeed<RunRecord<Result>>(maxBuffered, () =>
      this.#plan.logger.warn('A reader of runs() is too slow; its oldest records are dropped.'),
    );
    this.#feeds.add(feed);
    try {
      yield* feed.read(signal);
    } finally {
      this.#feeds.delete(feed);
    }
  }

  /** Waits for callbacks and ends the readers. */
  async end(): Promise<void> {
    await Promise.all(this.#pendingCallbacks.values());
    this.#hasEnded = true;
    for (const feed of this.#feeds) feed.end();
  }

  #trim(): void {
    const tooMany = this.#history.length - this.#plan.historySize;
    if (tooMany > 0) this.#history.splice(0, tooMany);
  }

  #callBack(name: keyof JobCallbacks, record: RunRecord<Result>): void {
    const { callbacks, logger } = this.#plan;
    if (!callbacks[name]) {
      // Otherwise a job could fail every night without a trace.
      if (name === 'onError') this.#warnOfFailure(record);
      return;
    }
    const callback = {};
    const pending = currentCallback
      .run(callback, async () => callbacks[name]?.(record))
      .catch((error: unknown) => {
        this.#counters.callbackErrors += 1;
        logger.error('A callback of a job failed.', {
          callback: name,
          fire_id: record.fireId,
          error,
        });
      });
    this.#pendingCallbacks.set(callback, pending);
    void pending.finally(() => this.#pendingCallbacks.delete(callback));
  }

  #warnOfFailure({ status, fireId, attempt, reason, error }: RunRecord<Result>): void {
    const failed = status === 'failed';
    const { code, message } = failed ? describeError(error) : { code: null, message: reason };
    const what = failed ? 'A fire of a job failed.' : 'A fire of a job was interrupted.';
    this.#plan.logger.warn(`${what} To handle it, pass onError to withCallbacks.`, {
      fire_id: fireId,
      attempt,
      ...(code === null ? {} : { code }),
      error: message,
    });
  }
}
