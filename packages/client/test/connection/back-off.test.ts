import { describe, expect, it } from 'vitest';
import { backOffMs, retryAfterMs } from '../../src/connection/back-off.js';

describe('backOffMs', () => {
  it.each([
    [0, 1000, 1, 1000],
    [1, 1000, 1, 1000],
    [2, 1000, 1, 2000],
    [5, 1000, 1, 16_000],
    [6, 1000, 1, 30_000],
    [2_000, 1000, 1, 30_000],
    [3, 1000, 0, 0],
    [3, 1000, 0.25, 1000],
    [1, 0, 1, 10],
    [1, 9_999_999, 1, 30_000],
  ])(
    'after %i failures with a base of %i ms and a random of %d is %i ms',
    (failures, baseMs, random, expected) => {
      expect(backOffMs(failures, baseMs, random)).toBe(expected);
    },
  );
});

describe('retryAfterMs', () => {
  it.each([
    [null, 0],
    ['', 0],
    ['0', 0],
    ['-5', 0],
    ['3', 3_000],
    [' 3 ', 3_000],
    ['999999999', 600_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 20_000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 0],
    ['later', 0],
  ])('reads %j as %i ms', (header, expected) => {
    expect(retryAfterMs(header, Date.UTC(2026, 0, 1, 0, 0, 10))).toBe(expected);
  });
});
