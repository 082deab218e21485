import { expect, it } from 'vitest';
import { createAtSchedule } from '../../../src/scheduling/schedule/at-schedule.js';

const noon = new Date('2026-01-01T12:00:00Z');

it('an at schedule fires once, and nextAfter is strictly after the given time', () => {
  const schedule = createAtSchedule(noon);
  expect(schedule.nextAfter(noon.getTime() - 1, 0)).toBe(noon.getTime());
  expect(schedule.nextAfter(noon.getTime(), 0)).toBeUndefined();
  expect(schedule.lastUntil(noon.getTime(), 0)).toBe(noon.getTime());
  expect(schedule.lastUntil(noon.getTime() - 1, 0)).toBeUndefined();
});

it('an at schedule refuses an invalid date', () => {
  expect(() => createAtSchedule(new Date('soon'))).toThrow(
    expect.objectContaining({ code: 'SCHEDULE_INVALID_DATE' }),
  );
});
