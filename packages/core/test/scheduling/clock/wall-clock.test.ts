import { expect, it, onTestFinished, vi } from 'vitest';
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

it('only the formats of the latest time zones are kept, however many spellings there are', () => {
  const format = vi.spyOn(Intl, 'DateTimeFormat');
  onTestFinished(() => format.mockRestore());
  const zones = Intl.supportedValuesOf('timeZone').flatMap((zone) => [zone, zone.toUpperCase()]);
  for (const zone of zones) utcOffsetMs(zone, 0);
  const created = format.mock.calls.length;
  for (const zone of zones.slice(0, 10)) utcOffsetMs(zone, 0);
  expect(format.mock.calls.length).toBeGreaterThan(created);
});
