import * as z from 'zod';
import { kindOf } from '../../config/options.js';
import { parseOptions, ScheduleError } from '../errors.js';
import type { Schedule } from './schedule.js';

/** Options of `every`. */
export interface IntervalOptions {
  /**
   * The time from which intervals are counted; nothing fires before one interval after it.
   * @default when the job first starts
   */
  startAt?: Date | undefined;
}

/** The latest time of a Date. */
const MAX_DATE_MS = 8.64e15;

const OptionsSchema = z.strictObject({ startAt: z.custom<Date>(isDate, 'must be a Date').optional() });

function isDate(value: unknown): boolean {
  return value instanceof Date;
}

/** Creates a schedule that fires at the end of each interval. */
export function createIntervalSchedule(intervalMs: number, options?: IntervalOptions): Schedule {
  const { startAt } = parseOptions(OptionsSchema, options ?? {}, 'every()');
  if (!Number.isFinite(intervalMs) || intervalMs < 1 || intervalMs > MAX_DATE_MS) {
    const got = typeof intervalMs === 'number' ? intervalMs : kindOf(intervalMs);
    throw new ScheduleError(`every(): intervalMs must be from 1 to ${MAX_DATE_MS}, got ${got}.`, {
      code: 'SCHEDULE_INVALID_INTERVAL',
      details: { interval_ms: intervalMs },
    });
  }
  const firstMs = startAt?.getTime();
  if (Number.isNaN(firstMs)) {
    throw new ScheduleError('every(): startAt must be a valid Date.', { code: 'SCHEDULE_INVALID_DATE' });
  }
  return {
    definition: `every ${intervalMs}${firstMs === undefined ? '' : ` from ${firstMs}`}`,
    timezone: 'UTC',
    nextAfter(momentMs, anchorMs) {
      const startMs = firstMs ?? anchorMs;
      const nextMs = startMs + Math.max(1, Math.floor((momentMs - startMs) / intervalMs) + 1) * intervalMs;
      return nextMs > MAX_DATE_MS ? undefined : nextMs;
    },
    lastUntil(momentMs, anchorMs) {
      const startMs = firstMs ?? anchorMs;
      const count = Math.floor((momentMs - startMs) / intervalMs);
      return count < 1 ? undefined : startMs + count * intervalMs;
    },
  };
}
