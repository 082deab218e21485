import { describe, expect, it } from 'vitest';
import { ConnectionError, MaivnHTTPError, PlanLimitExceededError } from '../../src/http/errors.js';
import {
  backoffMs,
  decideRetry,
  IDEMPOTENT,
  UNANSWERED,
  UNPROCESSED_ONLY,
  WITHIN_RUN,
} from '../../src/http/retry.js';

function refused(statusCode: number, retryAfterMs?: number): MaivnHTTPError {
  return new MaivnHTTPError('refused', { statusCode, reason: '', retryAfterMs });
}

const broken = new ConnectionError('broken', { code: 'X', isTransient: true });
const hopeless = new ConnectionError('hopeless', { code: 'X', isTransient: false });
const overPlan = new PlanLimitExceededError('plan', { statusCode: 429, reason: '', retryAfterMs: 5 });

describe('a request that must not take effect twice', () => {
  it.each([
    ['401', refused(401), undefined],
    ['403', refused(403), undefined],
    ['500', refused(500), undefined],
    ['a broken connection', broken, undefined],
    ['429 without Retry-After', refused(429), undefined],
    ['429 with Retry-After', refused(429, 1200), 1200],
    ['503 with Retry-After', refused(503, 300), 300],
    ['429 with a Retry-After that is too long', refused(429, 3_600_000), undefined],
    ['a plan limit', overPlan, undefined],
  ])('has the right retry delay after %s', (_name, error, delayMs) => {
    expect(decideRetry(UNPROCESSED_ONLY, error, 1, 1)).toBe(delayMs);
  });
});

describe('an idempotent request', () => {
  it.each([
    ['401', refused(401), undefined],
    ['400', refused(400), undefined],
    ['409', refused(409), undefined],
    ['500', refused(500), 250],
    ['502', refused(502), 250],
    ['429 without Retry-After', refused(429), 250],
    ['429 with Retry-After', refused(429, 1200), 1200],
    ['a broken connection', broken, 250],
    ['an unreadable response', hopeless, undefined],
    ['a plan limit', overPlan, undefined],
  ])('has the right retry delay after %s', (_name, error, delayMs) => {
    expect(decideRetry(IDEMPOTENT, error, 1, 1)).toBe(delayMs);
  });

  it('is given up after the last attempt', () => {
    expect(decideRetry(IDEMPOTENT, refused(500), IDEMPOTENT.maxAttempts - 1, 1)).toBeDefined();
    expect(decideRetry(IDEMPOTENT, refused(500), IDEMPOTENT.maxAttempts, 1)).toBeUndefined();
  });

  it('is retried for longer if a run depends on it', () => {
    const waits = (random: number) =>
      Array.from({ length: 20 }, (_, index) => decideRetry(WITHIN_RUN, broken, index + 1, random) ?? 0);
    const total = (random: number) => waits(random).reduce((sum, delayMs) => sum + delayMs, 0);
    expect([total(0), total(1)]).toEqual([15_875, 31_750]);
  });
});

describe('a request that starts something', () => {
  const failed = (reason: string) =>
    new ConnectionError('failed', { code: 'HTTP_CONNECTION_FAILED', details: { reason }, isTransient: true });

  it.each([
    ['a connection that was reset', failed('ECONNRESET'), 250],
    ['a connection that was closed', failed('UND_ERR_SOCKET'), 250],
    ['a timeout', new ConnectionError('late', { code: 'HTTP_TIMEOUT', isTransient: true }), 250],
    ['503 with Retry-After', refused(503, 300), 300],
    ['502 of a proxy', refused(502), 250],
    ['504 of a proxy', refused(504), 250],
    ['503 without Retry-After', refused(503), undefined],
    ['500', refused(500), undefined],
    ['401', refused(401), undefined],
    ['an unknown host name', failed('ENOTFOUND'), undefined],
    ['a refused connection', broken, undefined],
  ])('has the right retry delay after %s', (_name, error, delayMs) => {
    expect(decideRetry(UNANSWERED, error, 1, 1)).toBe(delayMs);
  });

  it('is retried after a refused connection if it is not the first attempt', () => {
    expect(decideRetry(UNANSWERED, broken, 2, 1)).toBe(500);
  });
});

it('the backoff doubles up to a cap, and half of it is random', () => {
  const delays = [1, 2, 3, 20].map((attempt) =>
    backoffMs(attempt, 1, { baseDelayMs: 100, maxDelayMs: 1000 }),
  );
  expect(delays).toEqual([100, 200, 400, 1000]);
  expect(backoffMs(1, 0, { baseDelayMs: 100, maxDelayMs: 1000 })).toBe(50);
});
