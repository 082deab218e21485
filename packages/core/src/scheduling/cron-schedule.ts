import { Cron } from 'croner';
import * as z from 'zod';
import { isTimezone } from '../config/timezone.js';
import { putLatest } from '../put-latest.js';
import { parseOptions, ScheduleError } from './errors.js';
import type { Schedule } from './schedule.js';

/** How many different expressions are kept parsed. */
const MOST_KNOWN = 1024;

/** How many answers of one expression are kept. */
const MOST_ANSWERS = 64;

const OptionsSchema = z.strictObject({ timezone: z.string().optional() });

const known = new Map<string, Schedule>();

/** What `cron` takes besides the expression. */
export interface CronOptions {
  /** The IANA zone whose wall clock it follows. @default 'UTC' */
  timezone?: string | undefined;
}

/**
 * A schedule of a cron expression: minute, hour, day of month, month, day of week, and optionally seconds as the sixth
 * and last field. Day of month and day of week are alternatives when both are given.
 *
 * Where the clock changes, a time that names its minutes and hours fires once a day: one that does not exist fires when
 * the clock has jumped, one that comes twice fires the first time. An expression with a wildcard or a step in them goes
 * by what passes: it skips what does not exist, and fires each time of a repeated hour.
 */
export function createCronSchedule(expression: string, options?: CronOptions): Schedule {
  if (typeof expression !== 'string') throw invalidCron(String(expression), 'it is no text');
  const { timezone = 'UTC' } = parseOptions(OptionsSchema, options ?? {}, 'cron()');
  const definition = `cron ${expression.trim().replaceAll(/\s+/g, ' ')} ${timezone}`;
  const found = known.get(definition);
  if (found) return found;
  const schedule = buildSchedule(definition, parseCron(expression, timezone), timezone);
  putLatest(known, [definition, schedule], MOST_KNOWN);
  return schedule;
}

function buildSchedule(definition: string, cron: Cron, timezone: string): Schedule {
  // Jobs of one expression ask for the same few moments, and each asks several times.
  const answers = new Map<number, number | undefined>();
  return {
    definition,
    timezone,
    nextAfter(momentMs) {
      if (answers.has(momentMs)) return answers.get(momentMs);
      const next = cron.nextRun(new Date(momentMs))?.getTime();
      if (answers.size >= MOST_ANSWERS) answers.clear();
      answers.set(momentMs, next);
      return next;
    },
    // A whole moment later, because the library excludes the moment itself.
    lastUntil: (momentMs) => cron.previousRuns(1, new Date(momentMs + 1))[0]?.getTime(),
  };
}

function parseCron(expression: string, timezone: string): Cron {
  if (!isTimezone(timezone)) {
    throw new ScheduleError(`'${timezone}' is no IANA time zone, such as 'Europe/Berlin'.`, {
      code: 'SCHEDULE_INVALID_TIMEZONE',
      details: { timezone },
    });
  }
  const fields = expression.trim().split(/\s+/);
  const isNickname = fields.length === 1 && expression.trim().startsWith('@');
  if (!isNickname && fields.length !== 5 && fields.length !== 6) {
    throw invalidCron(expression, 'it needs five fields, or six with the seconds last');
  }
  const pattern = fields.length === 6 ? [fields.at(-1), ...fields.slice(0, 5)].join(' ') : fields.join(' ');
  // Any moment will do: what has no year comes again, or never.
  if (readPattern(expression, pattern, 'UTC').nextRun(new Date(0)))
    return readPattern(expression, pattern, timezone);
  throw invalidCron(expression, 'it names a day that no month has, and would never fire');
}

function readPattern(expression: string, pattern: string, timezone: string): Cron {
  try {
    // Without a zone the library need not ask the calendar, which is many times faster.
    const clock = timezone === 'UTC' ? { utcOffset: 0 } : { timezone };
    return new Cron(pattern, { ...clock, paused: true, mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard' });
  } catch (error) {
    throw invalidCron(expression, error instanceof Error ? error.message : String(error), error);
  }
}

function invalidCron(expression: string, problem: string, cause?: unknown): ScheduleError {
  return new ScheduleError(`'${expression}' is no cron expression: ${problem}.`, {
    code: 'SCHEDULE_INVALID_CRON',
    details: { expression },
    cause,
  });
}
