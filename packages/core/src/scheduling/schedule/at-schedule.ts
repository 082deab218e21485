import { ScheduleError } from '../errors.js';
import type { Schedule } from './schedule.js';

/** Creates a schedule that fires once. */
export function createAtSchedule(moment: Date): Schedule {
  const atMs = moment instanceof Date ? moment.getTime() : Number.NaN;
  if (Number.isNaN(atMs)) {
    throw new ScheduleError('at() expects a valid Date.', { code: 'SCHEDULE_INVALID_DATE' });
  }
  return {
    definition: `at ${moment.toISOString()}`,
    timezone: 'UTC',
    nextAfter: (momentMs) => (atMs > momentMs ? atMs : undefined),
    lastUntil: (momentMs) => (atMs <= momentMs ? atMs : undefined),
  };
}
