import * as z from 'zod';
import { parseOptions, ScheduleError } from './errors.js';
import type { Schedule } from './schedule.js';

/** What `every` takes besides the interval. */
export interface IntervalOptions {
  /** Where the intervals are counted from; nothing fires before one interval after it. @default when the job first starts */
  startAt?: Date | undefined;
}

/** The last moment that a date can name. */
const LAST_MOMENT_MS = 8.64e15;

const OptionsSchema = z.strictObject({ startAt: z.custom<Date>(isDate, 'is no Date').optional() });

function isDate(value: unknown): boolean {
  return value instanceof Date;
}

/** A schedule that fires each time an interval is over, the first time one interval in. */
export function createIntervalSchedule(intervalMs: number, options?: IntervalOptions): Schedule {
  const { startAt } = parseOptions(OptionsSchema, options ?? {}, 'every()');
  if (!Number.isFinite(intervalMs) || intervalMs < 1 || intervalMs > LAST_MOMENT_MS) {
    throw new ScheduleError(`every() needs an interval from 1 to ${LAST_MOMENT_MS} ms, not ${intervalMs}.`, {
      code: 'SCHEDULE_INVALID_INTERVAL',
      details: { interval_ms: intervalMs },
    });
  }
  const givenStartMs = startAt?.getTime();
  if (Number.isNaN(givenStartMs)) {
    throw new ScheduleError('startAt of every() is no valid date.', { code: 'SCHEDULE_INVALID_DATE' });
  }
  return {
    definition: `every ${intervalMs}${givenStartMs === undefined ? '' : ` from ${givenStartMs}`}`,
    timezone: 'UTC',
    nextAfter(momentMs, anchorMs) {
      const startMs = givenStartMs ?? anchorMs;
      const nextMs = startMs + Math.max(1, Math.floor((momentMs - startMs) / intervalMs) + 1) * intervalMs;
      return nextMs > LAST_MOMENT_MS ? undefined : nextMs;
    },
    lastUntil(momentMs, anchorMs) {
      const startMs = givenStartMs ?? anchorMs;
      const count = Math.floor((momentMs - startMs) / intervalMs);
      return count < 1 ? undefined : startMs + count * intervalMs;
    },
  };
}
