import * as z from 'zod';
import type { ShapeOf } from '../config/options.js';
import { parseOptions } from './errors.js';

/** How many fires are listed at most. */
const MOST_LISTED = 10_000;

/** When to fire, as pure arithmetic. Moments are milliseconds since the epoch. */
export interface Schedule {
  /** What it is, in words that stay the same while the schedule does. A store compares it. */
  readonly definition: string;
  /** The IANA zone whose wall clock it follows. */
  readonly timezone: string;
  /** The first fire strictly after a moment; `anchorMs` is when the job first started. */
  nextAfter(momentMs: number, anchorMs: number): number | undefined;
  /** The last fire at a moment or before it. */
  lastUntil(momentMs: number, anchorMs: number): number | undefined;
}

/** What `upcoming` takes besides the number. */
export interface UpcomingOptions {
  /** Only fires strictly after this moment. @default now */
  after?: Date | undefined;
}

const CountSchema = z.object({ count: z.int().min(0).max(MOST_LISTED) });
const UpcomingSchema = z.strictObject({ after: z.date().optional() } satisfies ShapeOf<UpcomingOptions>);

/** The next fires of a schedule, before jitter. */
export function listUpcoming(
  schedule: Schedule,
  given: { count: number; options?: UpcomingOptions },
  { nowMs, anchorMs }: { nowMs: number; anchorMs: number },
): Date[] {
  const { count } = parseOptions(CountSchema, given, 'upcoming()');
  const { after } = parseOptions(UpcomingSchema, given.options ?? {}, 'upcoming()');
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
