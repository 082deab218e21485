import { kindOf } from '../../config/options.js';
import { ScheduleError } from '../errors.js';
import type { Schedule } from './schedule.js';

/** Creates a schedule that fires once. */
export function createAtSchedule(moment: Date): Schedule {
  const atMs = moment instanceof Date ? moment.getTime() : Number.NaN;
  if (Number.isNaN(atMs)) {
    const got = moment instanceof Date ? 'an invalid one' : kindOf(moment);
    throw new ScheduleError(`at() expects a valid Date, got ${got}.`, { code: 'SCHEDULE_INVALID_DATE' });
  }
  return {
    definition: `at ${moment.toISOString()}`,
    timezone: 'UTC',
    nextAfter: (momentMs) => (atMs > momentMs ? atMs : undefined),
    lastUntil: (momentMs) => (atMs <= momentMs ? atMs : undefined),
  };
}
