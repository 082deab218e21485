import { Cron } from 'croner';
import * as z from 'zod';
import { kindOf } from '../../config/options.js';
import { isTimezone } from '../../config/timezone.js';
import { messageOf } from '../../message-of.js';
import { putLatest } from '../../put-latest.js';
import { parseOptions, ScheduleError } from '../errors.js';
import type { Schedule } from './schedule.js';

/** How many parsed expressions are cached. */
const MAX_CACHED_SCHEDULES = 1024;

/** How many results of one expression are cached. */
const MAX_CACHED_FIRES = 64;

const OptionsSchema = z.strictObject({ timezone: z.string().optional() });

const cache = new Map<string, Schedule>();

/** Options of `cron`. */
export interface CronOptions {
  /** The IANA time zone of the expression. @default 'UTC' */
  timezone?: string | undefined;
}

/**
 * Creates a schedule from a cron expression: minute, hour, day of month, month, day of week, and optionally seconds as the
 * sixth and last field. If both day of month and day of week are restricted, either may match.
 *
 * At a clock change, an expression with fixed minutes and hours fires once a day: a time that does not exist fires when
 * the clock has jumped, a repeated one fires the first time. An expression with a wildcard or a step in these fields
 * follows elapsed time: it skips times that do not exist, and fires in both repetitions of an hour.
 */
export function createCronSchedule(expression: string, options?: CronOptions): Schedule {
  if (typeof expression !== 'string')
    throw invalidCron(String(expression), `it must be a string, got ${kindOf(expression)}`);
  const { timezone = 'UTC' } = parseOptions(OptionsSchema, options ?? {}, 'cron()');
  const definition = `cron ${expression.trim().replaceAll(/\s+/g, ' ')} ${timezone}`;
  const found = cache.get(definition);
  if (found) return found;
  const schedule = buildSchedule(definition, parseCron(expression, timezone), timezone);
  putLatest(cache, [definition, schedule], MAX_CACHED_SCHEDULES);
  return schedule;
}

function buildSchedule(definition: string, cron: Cron, timezone: string): Schedule {
  // Jobs with the same expression need the same few times, each several times.
  const nextFires = new Map<number, number | undefined>();
  return {
    definition,
    timezone,
    nextAfter(momentMs) {
      if (nextFires.has(momentMs)) return nextFires.get(momentMs);
      const next = cron.nextRun(new Date(momentMs))?.getTime();
      if (nextFires.size >= MAX_CACHED_FIRES) nextFires.clear();
      nextFires.set(momentMs, next);
      return next;
    },
    // One millisecond later, because the library excludes the moment itself.
    lastUntil: (momentMs) => cron.previousRuns(1, new Date(momentMs + 1))[0]?.getTime(),
  };
}

function parseCron(expression: string, timezone: string): Cron {
  if (!isTimezone(timezone)) {
    throw new ScheduleError(
      `cron(): timezone must be an IANA time zone such as 'Europe/Berlin', got '${timezone}'.`,
      {
        code: 'SCHEDULE_INVALID_TIMEZONE',
        details: { timezone },
      },
    );
  }
  const fields = expression.trim().split(/\s+/);
  const isNickname = fields.length === 1 && expression.trim().startsWith('@');
  if (!isNickname && fields.length !== 5 && fields.length !== 6) {
    throw invalidCron(expression, 'it must have five fields, or six with the seconds last');
  }
  const pattern = fields.length === 6 ? [fields.at(-1), ...fields.slice(0, 5)].join(' ') : fields.join(' ');
  // Any moment will do: a date without a year recurs or never occurs.
  if (readPattern(expression, pattern, 'UTC').nextRun(new Date(0)))
    return readPattern(expression, pattern, timezone);
  throw invalidCron(expression, 'it never fires, because no month has that day');
}

function readPattern(expression: string, pattern: string, timezone: string): Cron {
  try {
    // In UTC the library does not need the calendar, which is many times faster.
    const clock = timezone === 'UTC' ? { utcOffset: 0 } : { timezone };
    return new Cron(pattern, { ...clock, paused: true, mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard' });
  } catch (error) {
    const problem = valueAsWritten(messageOf(error)).replace(/\.+$/, '');
    const hint = pattern.split(' ').length === 6 ? ' (the seconds come last)' : '';
    throw invalidCron(expression, `${problem}${hint}`, error);
  }
}

/** The library counts days and months from 0, also in its errors; an expression counts them from 1. */
function valueAsWritten(problem: string): string {
  const counted = /(?<=Invalid value for (?:day|nearestWeekdays|month): )-?\d+$/;
  return problem.replace(counted, (value) => String(Number(value) + 1));
}

function invalidCron(expression: string, problem: string, cause?: unknown): ScheduleError {
  return new ScheduleError(`Invalid cron expression '${expression}': ${problem}.`, {
    code: 'SCHEDULE_INVALID_CRON',
    details: { expression },
    cause,
  });
}
