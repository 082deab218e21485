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
    ['429 with Retry-After', 1200, refused(429, 1200)],
    ['503 with Retry-After', 300, refused(503, 300)],
    ['503 with Retry-After in the past', 500, refused(503, 0)],
  ])('after %s is retried in %d ms', (_name, delayMs, error) => {
    expect(decideRetry(UNPROCESSED_ONLY, error, 1, 1)).toBe(delayMs);
  });

  it.each([
    ['401', refused(401)],
    ['403', refused(403)],
    ['500', refused(500)],
    ['a broken connection', broken],
    ['429 without Retry-After', refused(429)],
    ['429 with a Retry-After that is too long', refused(429, 3_600_000)],
    ['a plan limit', overPlan],
  ])('is not retried after %s', (_name, error) => {
    expect(decideRetry(UNPROCESSED_ONLY, error, 1, 1)).toBeUndefined();
  });
});

describe('an idempotent request', () => {
  it.each([
    ['500', 250, refused(500)],
    ['502', 250, refused(502)],
    ['429 without Retry-After', 250, refused(429)],
    ['429 with Retry-After', 1200, refused(429, 1200)],
    ['a broken connection', 250, broken],
  ])('after %s is retried in %d ms', (_name, delayMs, error) => {
    expect(decideRetry(IDEMPOTENT, error, 1, 1)).toBe(delayMs);
  });

  it.each([
    ['401', refused(401)],
    ['400', refused(400)],
    ['409', refused(409)],
    ['an unreadable response', hopeless],
    ['a plan limit', overPlan],
  ])('is not retried after %s', (_name, error) => {
    expect(decideRetry(IDEMPOTENT, error, 1, 1)).toBeUndefined();
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
    ['a connection that was reset', 250, failed('ECONNRESET')],
    ['a connection that was closed', 250, failed('UND_ERR_SOCKET')],
    ['a timeout', 250, new ConnectionError('late', { code: 'HTTP_TIMEOUT', isTransient: true })],
    ['503 with Retry-After', 300, refused(503, 300)],
    ['502 of a proxy', 250, refused(502)],
    ['503 of a proxy, without Retry-After', 250, refused(503)],
    ['504 of a proxy', 250, refused(504)],
  ])('after %s is retried in %d ms', (_name, delayMs, error) => {
    expect(decideRetry(UNANSWERED, error, 1, 1)).toBe(delayMs);
  });

  it.each([
    ['503 with a Retry-After that is too long', refused(503, 3_600_000)],
    ['429 without Retry-After', refused(429)],
    ['500', refused(500)],
    ['401', refused(401)],
    ['an unknown host name', failed('ENOTFOUND')],
    ['a refused connection', broken],
  ])('is not retried after %s', (_name, error) => {
    expect(decideRetry(UNANSWERED, error, 1, 1)).toBeUndefined();
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
