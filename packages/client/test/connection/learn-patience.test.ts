import { describe, expect, it } from 'vitest';
import { learnPatience } from '../../src/connection/learn-patience.js';

/** The patience after heartbeats at these times, in seconds. */
function patienceAfter(...seconds: number[]): number {
  let patienceMs = 60_000;
  for (const [beat, second] of seconds.entries())
    patienceMs = learnPatience(patienceMs, (second - (seconds[beat - 1] ?? NaN)) * 1000);
  return patienceMs / 1000;
}

describe('learnPatience', () => {
  it.each([
    ['nothing was heard', [], 60],
    ['one heartbeat says nothing about the next', [10], 60],
    ['a steady cadence', Array.from({ length: 20 }, (_, beat) => beat * 15), 37.5],
    ['a slower cadence counts at once', [0, 15, 30, 60], 75],
    ['a quick pair does not make it impatient', [0, 15, 15.1], 33.75],
    ['a very quick cadence has a floor', Array.from({ length: 60 }, (_, beat) => beat), 5],
    ['hours of sleep have a ceiling', [0, 15, 30, 30_000], 120],
  ])('%s', (_, beats, expected) => {
    expect(patienceAfter(...beats)).toBeCloseTo(expected, 3);
  });
});
