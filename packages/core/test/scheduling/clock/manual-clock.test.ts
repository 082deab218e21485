import { expect, it } from 'vitest';
import { ManualClock } from '../../../src/scheduling/clock/manual-clock.js';

it.each<[string, (clock: ManualClock) => unknown]>([
  ['start at', () => new ManualClock('noon')],
  ['advance to', async (clock) => clock.advanceTo('noon')],
  ['advance by', async (clock) => clock.advance(Number.NaN)],
  ['leap over', async (clock) => clock.leap(Number.NaN)],
])('a manual clock refuses to %s an invalid time, and does not move', async (_what, move) => {
  const clock = new ManualClock(1_000);
  // The limit of 9 ends the test if the time is not refused: the timer would otherwise be restarted forever.
  let rings = 0;
  const ring = (): unknown => (rings += 1) < 9 && clock.startTimer(10, ring);
  clock.startTimer(10, ring);
  await expect((async () => move(clock))()).rejects.toThrow(RangeError);
  expect([clock.now(), rings]).toEqual([1_000, 0]);
});
