import { expect, it } from 'vitest';
import { utcOffsetMs } from '../../../src/scheduling/clock/wall-clock.js';

it.each([
  ['UTC', '2026-07-01T00:00Z', 0],
  ['Europe/Berlin', '2026-01-01T00:00Z', 60],
  ['Europe/Berlin', '2026-07-01T00:00Z', 120],
  ['America/New_York', '2026-01-01T00:00Z', -300],
  ['Asia/Kolkata', '2026-01-01T00:00Z', 330],
  ['Africa/Abidjan', '2026-01-01T00:00Z', 0],
])('%s at %s is %d minutes ahead of UTC', (timezone, moment, minutes) => {
  expect(utcOffsetMs(timezone, Date.parse(moment))).toBe(minutes * 60_000);
});
