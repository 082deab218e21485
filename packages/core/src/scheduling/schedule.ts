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

/** The next fires of a schedule, before jitter. */
export function listUpcoming(
  schedule: Schedule,
  count: number,
  from: { afterMs: number; anchorMs: number },
): Date[] {
  const fires: Date[] = [];
  let momentMs = from.afterMs;
  while (fires.length < count) {
    const next = schedule.nextAfter(momentMs, from.anchorMs);
    if (next === undefined) break;
    fires.push(new Date(next));
    momentMs = next;
  }
  return fires;
}
