import { retryDelayMs, shouldRetry, type RetryPolicy } from './retry.js';

/** What a job's work is given. */
export interface FireContext {
  /** Aborts when the fire is replaced, the job is stopped without draining, or its lease is lost. */
  readonly signal: AbortSignal;
  readonly jobName: string;
  /** The same for every attempt, so it can serve as an idempotency key. */
  readonly fireId: string;
  /** When the schedule says, before jitter. */
  readonly scheduledAt: Date;
  /** Whether the schedule or `trigger()` asked for it. */
  readonly origin: 'schedule' | 'manual';
  /** Counted from 1. */
  readonly attempt: number;
  /** How many late fires besides its own this run stands for. */
  readonly coalesced: number;
}

/** What a job does. */
export type Work<Result> = (fire: FireContext) => Result | Promise<Result>;

/** How the attempts of a fire ended. */
export type FireOutcome<Result> =
  | { readonly status: 'succeeded'; readonly attempt: number; readonly result: Result }
  | { readonly status: 'failed' | 'cancelled'; readonly attempt: number; readonly error: unknown };

/** What running a fire needs. */
export interface FireRun<Result> {
  readonly work: Work<Result>;
  readonly context: FireContext;
  readonly retry: RetryPolicy;
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** Told before each attempt after the first one. */
  readonly onAttempt: (attempt: number) => Promise<void>;
}

/** Tries a fire until it succeeds, has failed for good, or was told to stop. Never rejects. */
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

/** A fire that was told to stop counts as cancelled, whatever it came to. */
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
