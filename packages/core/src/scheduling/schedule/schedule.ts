import * as z from 'zod';
import type { ShapeOf } from '../../config/options.js';
import { parseOptions } from '../errors.js';

/** The maximum number of listed fires. */
const MAX_LISTED = 10_000;

/** Pure functions that say when to fire. Moments are milliseconds since the epoch. */
export interface Schedule {
  /** A description that identifies the schedule. A store compares it. */
  readonly definition: string;
  /** The IANA time zone of the schedule. */
  readonly timezone: string;
  /** Returns the first fire strictly after a moment; `anchorMs` is the time when the job first started. */
  nextAfter(momentMs: number, anchorMs: number): number | undefined;
  /** Returns the last fire at or before a moment. */
  lastUntil(momentMs: number, anchorMs: number): number | undefined;
}

/** Options of `upcoming`. */
export interface UpcomingOptions {
  /** Lists only fires strictly after this time. @default now */
  after?: Date | undefined;
}

const CountSchema = z.object({ count: z.int().min(0).max(MAX_LISTED) });
const UpcomingSchema = z.strictObject({ after: z.date().optional() } satisfies ShapeOf<UpcomingOptions>);

/** Returns the next fires of a schedule, before jitter. */
export function listUpcoming(
  schedule: Schedule,
  query: { count: number; options?: UpcomingOptions },
  { nowMs, anchorMs }: { nowMs: number; anchorMs: number },
): Date[] {
  const { count } = parseOptions(CountSchema, query, 'upcoming()');
  const { after } = parseOptions(UpcomingSchema, query.options ?? {}, 'upcoming()');
  const fires: Date[] = [];
  let momentMs = after?.getTime() ?? nowMs;
  while (fires.length < count) {
    const next = schedule.nextAfter(momentMs, anchorMs);
    if (next === undefined) break;
    fires.push(new Date(next));
    momentMs = next;
  }
  return fires;
}
