import { retryDelayMs, shouldRetry, type RetryPolicy } from '../policy/retry.js';

/** The argument of a job's work. */
export interface FireContext {
  /** Aborts when the fire is replaced, the job is stopped without draining, or the fire's lease is lost. */
  readonly signal: AbortSignal;
  readonly jobName: string;
  /** The id of the fire, the same for every attempt, so that it can serve as an idempotency key. */
  readonly fireId: string;
  /** The scheduled time, before jitter. */
  readonly scheduledAt: Date;
  /** Whether the schedule or `trigger()` started it. */
  readonly origin: 'schedule' | 'manual';
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** How many other late fires this run replaces. */
  readonly coalesced: number;
}

/** The work of a job. */
export type Work<Result> = (fire: FireContext) => Result | Promise<Result>;

/** The outcome of a fire's attempts. */
export type FireOutcome<Result> =
  | { readonly status: 'succeeded'; readonly attempt: number; readonly result: Result }
  | { readonly status: 'failed' | 'cancelled'; readonly attempt: number; readonly error: unknown };

/** A fire to run. */
export interface FireRun<Result> {
  readonly work: Work<Result>;
  readonly context: FireContext;
  readonly retry: RetryPolicy;
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** Called before each attempt after the first one. */
  readonly onAttempt: (attempt: number) => Promise<void>;
}

/** Runs a fire until it succeeds, has no attempts left, or is stopped. Never rejects. */
export async function runFire<Result>(run: FireRun<Result>): Promise<FireOutcome<Result>> {
  const { context, retry } = run;
  const { signal } = context;
  for (let attempt = context.attempt; ; attempt += 1) {
    try {
      const result = await run.work({ ...context, attempt });
      return signal.aborted ? cancelled(signal, attempt) : { status: 'succeeded', attempt, result };
    } catch (error) {
      if (signal.aborted) return cancelled(signal, attempt);
      const verdict = judge(retry, error, attempt);
      if (!verdict.isRetried) return { status: 'failed', attempt, error: verdict.error };
    }
    try {
      await run.sleep(retryDelayMs(retry, attempt + 1), signal);
      await run.onAttempt(attempt + 1);
    } catch (error) {
      return signal.aborted ? cancelled(signal, attempt) : { status: 'failed', attempt, error };
    }
  }
}

/** A stopped fire counts as cancelled, whatever its outcome. */
function cancelled(signal: AbortSignal, attempt: number): FireOutcome<never> {
  return { status: 'cancelled', attempt, error: signal.reason };
}

function judge(retry: RetryPolicy, error: unknown, attempt: number): { isRetried: boolean; error: unknown } {
  try {
    return { isRetried: shouldRetry(retry, error, attempt), error };
  } catch (thrown) {
    return {
      isRetried: false,
      error: new AggregateError([error, thrown], 'The work failed, and retryOn threw.'),
    };
  }
}
