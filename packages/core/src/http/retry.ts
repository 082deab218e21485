import { ConnectionError, MaivnHTTPError, PlanLimitExceededError } from './errors.js';

/**
 * When a request is sent again. `unprocessed` repeats only what the service says it did not take (429 and 503 with
 * `Retry-After`); `idempotent` also repeats what broke on the way and every 5xx.
 */
export interface RetryPolicy {
  readonly mode: 'unprocessed' | 'idempotent';
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** For requests that must not take effect twice. */
export const UNPROCESSED_ONLY: RetryPolicy = {
  mode: 'unprocessed',
  maxAttempts: 3,
  baseDelayMs: 500,
  maxDelayMs: 30_000,
};

/** For requests that the service recognizes when they come again. */
export const IDEMPOTENT: RetryPolicy = {
  mode: 'idempotent',
  maxAttempts: 6,
  baseDelayMs: 250,
  maxDelayMs: 30_000,
};

/** How long to wait before the next attempt, or `undefined` to give up. `attempt` counts from 1. */
export function decideRetry(
  policy: RetryPolicy,
  error: unknown,
  attempt: number,
  random: number,
): number | undefined {
  if (attempt >= policy.maxAttempts || !isRetryable(error, policy.mode)) return undefined;
  const asked = error instanceof MaivnHTTPError ? error.retryAfterMs : undefined;
  if (asked === undefined) return backoffMs(attempt, random, policy);
  return asked <= policy.maxDelayMs ? asked : undefined;
}

/** Exponential, capped, with half of it jittered so that many callers spread out. */
export function backoffMs(
  attempt: number,
  random: number,
  policy: Pick<RetryPolicy, 'baseDelayMs' | 'maxDelayMs'>,
): number {
  const delay = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
  return delay / 2 + (delay / 2) * random;
}

function isRetryable(error: unknown, mode: RetryPolicy['mode']): boolean {
  if (error instanceof ConnectionError) return mode === 'idempotent' && error.isTransient;
  if (!(error instanceof MaivnHTTPError) || error instanceof PlanLimitExceededError) return false;
  if (error.statusCode === 429 || error.statusCode === 503) {
    return mode === 'idempotent' || error.retryAfterMs !== undefined;
  }
  return mode === 'idempotent' && error.statusCode >= 500;
}
