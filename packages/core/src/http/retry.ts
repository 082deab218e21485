import { ConnectionError, MaivnHTTPError, PlanLimitExceededError } from './errors.js';

/**
 * When a request is retried. `unprocessed` retries only requests that the service says it did not process (429 and 503
 * with `Retry-After`); `unanswered` also those whose connection broke after the service, or a proxy before it, was
 * reached; `idempotent` those with any connection failure, and every 5xx.
 */
export interface RetryPolicy {
  readonly mode: 'unprocessed' | 'unanswered' | 'idempotent';
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

/** For requests that the service recognizes when they are repeated. */
export const IDEMPOTENT: RetryPolicy = {
  mode: 'idempotent',
  maxAttempts: 6,
  baseDelayMs: 250,
  maxDelayMs: 30_000,
};

/** For idempotent requests that a run depends on: they bridge a restart of 15 seconds. */
export const WITHIN_RUN: RetryPolicy = { ...IDEMPOTENT, maxAttempts: 8 };

/** For idempotent requests that start something: a wrong URL, or a service that cannot start it, fails at once. */
export const UNANSWERED: RetryPolicy = { ...IDEMPOTENT, mode: 'unanswered' };

/** Statuses of a proxy whose own connection broke, was refused or timed out. */
const LOST_BEHIND_PROXY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Error codes of an established connection that broke. */
const BROKEN_CONNECTION_CODES: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Returns how long to wait before the next attempt, or `undefined` to give up. `attempt` counts from 1. */
export function decideRetry(
  policy: RetryPolicy,
  error: unknown,
  attempt: number,
  random: number,
): number | undefined {
  if (attempt >= policy.maxAttempts || !isRetryable(error, policy.mode, attempt)) return undefined;
  const requestedMs = error instanceof MaivnHTTPError ? error.retryAfterMs : undefined;
  // A date in the past, as of another clock, or 0 names no time: attempts without a wait would be used up at once.
  if (!requestedMs) return backoffMs(attempt, random, policy);
  return requestedMs <= policy.maxDelayMs ? requestedMs : undefined;
}

/** Returns an exponential, capped delay, half of it random, so that many callers spread out. */
export function backoffMs(
  attempt: number,
  random: number,
  policy: Pick<RetryPolicy, 'baseDelayMs' | 'maxDelayMs'>,
): number {
  const delay = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
  return delay / 2 + (delay / 2) * random;
}

function isRetryable(error: unknown, mode: RetryPolicy['mode'], attempt: number): boolean {
  if (error instanceof ConnectionError) {
    if (mode === 'unprocessed' || !error.isTransient) return false;
    return mode === 'idempotent' || attempt > 1 || hasReached(error);
  }
  if (!(error instanceof MaivnHTTPError) || error instanceof PlanLimitExceededError) return false;
  const isUnprocessed = error.statusCode === 429 || error.statusCode === 503;
  if (isUnprocessed && (mode === 'idempotent' || error.retryAfterMs !== undefined)) return true;
  if (mode === 'unanswered') return LOST_BEHIND_PROXY.has(error.statusCode);
  return mode === 'idempotent' && error.statusCode >= 500;
}

function hasReached({ code, details }: ConnectionError): boolean {
  return code === 'HTTP_TIMEOUT' || BROKEN_CONNECTION_CODES.has(details?.['reason']);
}
