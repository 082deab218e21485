import { sampleJitter, type JitterPolicy } from './jitter.js';
import type { Ledger } from './ledger.js';
import type { DueFire } from './misfire.js';
import type { Schedule } from './schedule.js';

/** How many due fires are looked at one by one; of more, only the latest are. */
export const MOST_DUE = 1_000;

/** What a planner is made of. */
export interface FirePlannerParts {
  schedule: Schedule;
  jitter: JitterPolicy | undefined;
  random: () => number;
}

/** Says when the fires of a schedule are due, jitter included. */
export class FirePlanner {
  readonly #parts: FirePlannerParts;
  /** The shifts that were drawn for fires that are not decided yet. */
  readonly #drawn = new Map<number, number>();
  #floorMs = Number.NEGATIVE_INFINITY;
  /** The last answer, because each step of a job asks several times. */
  #last: { cursorMs: number; anchorMs: number; floorMs: number; fire: DueFire | undefined } | undefined;

  constructor(parts: FirePlannerParts) {
    this.#parts = parts;
  }

  /** No fire is due before this moment, so an early one is not late because the job was not there yet. */
  startFrom(momentMs: number): void {
    this.#floorMs = momentMs;
  }

  /** The fire after those that the ledger knows as decided. */
  next({ cursor_ms: cursorMs, anchor_ms: anchorMs }: Ledger): DueFire | undefined {
    const last = this.#last;
    if (last && last.cursorMs === cursorMs && last.anchorMs === anchorMs && last.floorMs === this.#floorMs)
      return last.fire;
    for (const drawnFor of this.#drawn.keys()) if (drawnFor <= cursorMs) this.#drawn.delete(drawnFor);
    const fire = this.#planAfter(cursorMs, anchorMs, this.#floorMs);
    this.#last = { cursorMs, anchorMs, floorMs: this.#floorMs, fire };
    return fire;
  }

  /** Every fire that is due, oldest first; when there are very many, one that stands for the oldest and then the latest. */
  listDue(ledger: Ledger, nowMs: number): DueFire[] {
    const { anchor_ms: anchorMs } = ledger;
    const oldest = this.next(ledger);
    const due: DueFire[] = [];
    let fire = oldest;
    while (fire && fire.dueAtMs <= nowMs) {
      due.push(fire);
      if (oldest && due.length > MOST_DUE)
        return [oldest, ...this.#listLatest(oldest.scheduledAtMs, anchorMs, nowMs)];
      fire = this.#planAfter(fire.scheduledAtMs, anchorMs, fire.dueAtMs);
    }
    return due;
  }

  #listLatest(afterMs: number, anchorMs: number, nowMs: number): DueFire[] {
    const { schedule } = this.#parts;
    const moments: number[] = [];
    let moment = schedule.lastUntil(nowMs, anchorMs);
    while (moment !== undefined && moment > afterMs && moments.length < MOST_DUE) {
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
