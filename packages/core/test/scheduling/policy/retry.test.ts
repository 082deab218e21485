import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { describe, expect, it } from 'vitest';
import { MissingCredentialError } from '../../../src/auth/errors.js';
import { ConfigurationError } from '../../../src/config/errors.js';
import {
  parseRetry,
  retryDelayMs,
  shouldRetry,
  type RetryOptions,
} from '../../../src/scheduling/policy/retry.js';

describe('retry', () => {
  it.each<[string, RetryOptions, number[], number[]]>([
    [
      'exponentially, up to maxDelayMs',
      { backoff: 'exponential', baseMs: 30_000, factor: 2, maxDelayMs: 600_000 },
      [2, 3, 4, 7],
      [30_000, 60_000, 120_000, 600_000],
    ],
    ['linearly', { backoff: 'linear', baseMs: 5_000 }, [2, 3, 4], [5_000, 10_000, 15_000]],
    ['constantly', { backoff: 'constant', baseMs: 5_000 }, [2, 3, 4], [5_000, 5_000, 5_000]],
    ['by default from 5 s, doubling', {}, [2, 3], [5_000, 10_000]],
  ])('waits %s', (_how, options, attempts, delays) => {
    const policy = parseRetry(options);
    expect(attempts.map((attempt) => retryDelayMs(policy, attempt))).toEqual(delays);
  });

  it('counts the first attempt towards maxAttempts', () => {
    expect(shouldRetry(parseRetry({}), new Error('no'), 1)).toBe(false);
    const twice = parseRetry({ maxAttempts: 2 });
    expect([1, 2].map((attempt) => shouldRetry(twice, new Error('no'), attempt))).toEqual([true, false]);
  });

  it.each([
    ['a plain error', new Error('reset')],
    ['an unavailable server (503)', Object.assign(new Error('down'), { statusCode: 503 })],
    ['a request timeout (408)', Object.assign(new Error('late'), { statusCode: 408 })],
    ['too many requests (429)', Object.assign(new Error('slow'), { statusCode: 429 })],
    ['the lowest server error (500)', Object.assign(new Error('down'), { statusCode: 500 })],
    ['a thrown value that is not an Error', 'no'],
  ])('without retryOn happens after %s', (_what, error) => {
    expect(shouldRetry(parseRetry({ maxAttempts: 5 }), error, 1)).toBe(true);
  });

  it.each([
    ['the lowest client error (400)', Object.assign(new Error('no'), { statusCode: 400 })],
    ['a refused key (401)', Object.assign(new Error('no'), { statusCode: 401 })],
    ['an invalid request (422)', Object.assign(new Error('no'), { statusCode: 422 })],
    ['a plan that is used up', new MaivnSDKError('no', { code: 'plan_limit_exceeded' })],
    ['an invalid configuration', new ConfigurationError('no', { code: 'CONFIG_INVALID_BASE_URL' })],
    ['a setup that cannot work', new ConfigurationError('no', { code: 'SWARM_EMPTY' })],
    ['a missing credential', new MissingCredentialError('The swarm')],
  ])('without retryOn does not happen after %s', (_what, error) => {
    expect(shouldRetry(parseRetry({ maxAttempts: 5 }), error, 1)).toBe(false);
  });

  it('asks retryOn, passing the error and the attempt', () => {
    const policy = parseRetry({
      maxAttempts: 9,
      retryOn: (error, attempt) => error === 'again' && attempt < 3,
    });
    expect([1, 2, 3].map((attempt) => shouldRetry(policy, 'again', attempt))).toEqual([true, true, false]);
    expect(shouldRetry(policy, 'enough', 1)).toBe(false);
  });

  it.each([
    { maxAttempts: 0 },
    { factor: 0 },
    { baseMs: -1 },
    { maxAttempts: 1.5 },
    { backoff: 'random' },
    { retryOn: true },
    { attempts: 3 },
  ])('refuses %j', (options) => {
    expect(() => parseRetry(options as RetryOptions)).toThrow(
      expect.objectContaining({
        code: 'SCHEDULE_INVALID_OPTION',
        message: expect.stringContaining('withRetry()'),
      }),
    );
  });
});
