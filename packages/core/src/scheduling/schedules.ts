import { createAtSchedule } from './schedule/at-schedule.js';
import { createCronSchedule, type CronOptions } from './schedule/cron-schedule.js';
import { createIntervalSchedule, type IntervalOptions } from './schedule/interval-schedule.js';
import { ScheduleBuilder } from './schedule-builder.js';

/**
 * Schedules by a cron expression: minute, hour, day of month, month, day of week, and optionally seconds as the last field.
 *
 * @example
 * cron('0 9 * * MON-FRI', { timezone: 'Europe/Berlin' }).run(() => sendDigest());
 */
export function cron(expression: string, options: CronOptions = {}): ScheduleBuilder {
  return new ScheduleBuilder(createCronSchedule(expression, options));
}

/** Schedules at a fixed interval in milliseconds; the first fire is one interval after the start. */
export function every(intervalMs: number, options: IntervalOptions = {}): ScheduleBuilder {
  return new ScheduleBuilder(createIntervalSchedule(intervalMs, options));
}

/** Schedules one fire. A moment that has passed when the job starts is `missed`. */
export function at(moment: Date): ScheduleBuilder {
  return new ScheduleBuilder(createAtSchedule(moment));
}
