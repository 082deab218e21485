import { sampleJitter, type JitterPolicy } from '../schedule/jitter.js';
import type { Ledger } from '../store/ledger.js';
import type { DueFire } from '../policy/misfire.js';
import type { Schedule } from '../schedule/schedule.js';

/** How many due fires are handled one by one; if there are more, only the latest are. */
export const MAX_DUE = 1_000;

/** The parts of a planner. */
export interface FirePlannerParts {
  schedule: Schedule;
  jitter: JitterPolicy | undefined;
  random: () => number;
}

/** Computes when the fires of a schedule are due, including jitter. */
export class FirePlanner {
  readonly #parts: FirePlannerParts;
  /** The random shifts of fires that are not decided yet. */
  readonly #drawn = new Map<number, number>();
  #floorMs = Number.NEGATIVE_INFINITY;
  /** The last result, because each step of a job needs it several times. */
  #last: { cursorMs: number; anchorMs: number; floorMs: number; fire: DueFire | undefined } | undefined;

  constructor(parts: FirePlannerParts) {
    this.#parts = parts;
  }

  /** No fire is due before this moment, so that an early one does not count as late because the job did not exist yet. */
  startFrom(momentMs: number): void {
    this.#floorMs = momentMs;
  }

  /** Returns the first fire that is not decided in the ledger. */
  next({ cursor_ms: cursorMs, anchor_ms: anchorMs }: Ledger): DueFire | undefined {
    const last = this.#last;
    if (last && last.cursorMs === cursorMs && last.anchorMs === anchorMs && last.floorMs === this.#floorMs)
      return last.fire;
    for (const drawnFor of this.#drawn.keys()) if (drawnFor <= cursorMs) this.#drawn.delete(drawnFor);
    const fire = this.#planAfter(cursorMs, anchorMs, this.#floorMs);
    this.#last = { cursorMs, anchorMs, floorMs: this.#floorMs, fire };
    return fire;
  }

  /** Returns every due fire, oldest first; if there are too many, the oldest one followed by the latest ones. */
  listDue(ledger: Ledger, nowMs: number): DueFire[] {
    const { anchor_ms: anchorMs } = ledger;
    const oldest = this.next(ledger);
    const due: DueFire[] = [];
    let fire = oldest;
    while (fire && fire.dueAtMs <= nowMs) {
      due.push(fire);
      if (oldest && due.length > MAX_DUE)
        return [oldest, ...this.#listLatest(oldest.scheduledAtMs, anchorMs, nowMs)];
      fire = this.#planAfter(fire.scheduledAtMs, anchorMs, fire.dueAtMs);
    }
    return due;
  }

  #listLatest(afterMs: number, anchorMs: number, nowMs: number): DueFire[] {
    const { schedule } = this.#parts;
    const moments: number[] = [];
    let moment = schedule.lastUntil(nowMs, anchorMs);
    while (moment !== undefined && moment > afterMs && moments.length < MAX_DUE) {
      moments.unshift(moment);
      moment = schedule.lastUntil(moment - 1, anchorMs);
    }
    return moments
      .map((at) => this.#plan(at, anchorMs, this.#floorMs))
      .filter(({ dueAtMs }) => dueAtMs <= nowMs);
  }

  #planAfter(momentMs: number, anchorMs: number, floorMs: number): DueFire | undefined {
    const scheduledAtMs = this.#parts.schedule.nextAfter(momentMs, anchorMs);
    return scheduledAtMs === undefined ? undefined : this.#plan(scheduledAtMs, anchorMs, floorMs);
  }

  #plan(scheduledAtMs: number, anchorMs: number, floorMs: number): DueFire {
    const jitterMs = this.#shiftOf(scheduledAtMs);
    const isPastNext = this.#isPastNext(scheduledAtMs, jitterMs, anchorMs);
    const dueAtMs = Math.max(floorMs, isPastNext ? scheduledAtMs : scheduledAtMs + jitterMs);
    return { scheduledAtMs, jitterMs, dueAtMs, isPastNext };
  }

  #shiftOf(scheduledAtMs: number): number {
    const { jitter, schedule, random } = this.#parts;
    if (!jitter) return 0;
    const drawn = this.#drawn.get(scheduledAtMs);
    if (drawn !== undefined) return drawn;
    const shiftMs = sampleJitter(jitter, scheduledAtMs, { timezone: schedule.timezone, random });
    this.#drawn.set(scheduledAtMs, shiftMs);
    return shiftMs;
  }

  #isPastNext(scheduledAtMs: number, jitterMs: number, anchorMs: number): boolean {
    if (jitterMs <= 0 || !this.#parts.jitter?.skipPastNext) return false;
    const nextMs = this.#parts.schedule.nextAfter(scheduledAtMs, anchorMs);
    return nextMs !== undefined && scheduledAtMs + jitterMs >= nextMs;
  }
}
