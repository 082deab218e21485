import { describe, expect, it } from 'vitest';
import { adaptIdleTimeout } from '../../src/connection/adapt-idle-timeout.js';

/** Returns the idle timeout in seconds after heartbeats at these times, in seconds. */
function timeoutAfter(...seconds: number[]): number {
  let timeoutMs = 60_000;
  for (const [beat, second] of seconds.entries())
    timeoutMs = adaptIdleTimeout(timeoutMs, (second - (seconds[beat - 1] ?? NaN)) * 1000);
  return timeoutMs / 1000;
}

describe('adaptIdleTimeout', () => {
  it.each([
    ['stays 60 s without heartbeats', [], 60],
    ['does not change after one heartbeat', [10], 60],
    [
      'becomes two and a half intervals of steady heartbeats',
      Array.from({ length: 20 }, (_, beat) => beat * 15),
      37.5,
    ],
    ['rises at once if heartbeats slow down', [0, 15, 30, 60], 75],
    ['falls slowly after one short interval', [0, 15, 15.1], 33.75],
    ['is never less than 5 s', Array.from({ length: 60 }, (_, beat) => beat), 5],
    ['is never more than 120 s', [0, 15, 30, 30_000], 120],
  ])('%s', (_, beats, expected) => {
    expect(timeoutAfter(...beats)).toBeCloseTo(expected, 3);
  });
});
