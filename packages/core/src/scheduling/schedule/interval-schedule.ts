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
  // Rounded, because a moment between two milliseconds cannot be compared with the clock's.
  const fireOf = (count: number, startMs: number) => startMs + Math.round(count * intervalMs);
  return {
    definition: `every ${intervalMs}${firstMs === undefined ? '' : ` from ${firstMs}`}`,
    timezone: 'UTC',
    nextAfter(momentMs, anchorMs) {
      const startMs = firstMs ?? anchorMs;
      let count = Math.max(1, Math.floor((momentMs - startMs) / intervalMs));
      while (fireOf(count, startMs) <= momentMs) count += 1;
      const nextMs = fireOf(count, startMs);
      return nextMs > MAX_DATE_MS ? undefined : nextMs;
    },
    lastUntil(momentMs, anchorMs) {
      const startMs = firstMs ?? anchorMs;
      let count = Math.floor((momentMs - startMs) / intervalMs) + 1;
      while (fireOf(count, startMs) > momentMs) count -= 1;
      return count < 1 ? undefined : fireOf(count, startMs);
    },
  };
}
