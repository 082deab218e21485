import type { Clock, ClockTimer } from './clock.js';

interface ManualTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

// Captured before a test framework can replace it with a fake.
const nextTurn = globalThis.setImmediate;

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #nowMs: number;
  #order = 0;
  readonly #timers = new Set<ManualTimer>();

  /** @param start - the initial time. @default 1970-01-01T00:00:00Z */
  constructor(start: Date | string | number = 0) {
    this.#nowMs = parseMoment(start);
  }

  now(): number {
    return this.#nowMs;
  }

  startTimer(delayMs: number, callback: () => void): ClockTimer {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), order: (this.#order += 1), callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Advances the clock; due timers are called in order, and their promises settle. */
  async advance(durationMs: number): Promise<void> {
    await this.advanceTo(this.#nowMs + durationMs);
  }

  /** Advances the clock to a moment, like {@link advance}. */
  async advanceTo(moment: Date | string | number): Promise<void> {
    const untilMs = parseMoment(moment);
    await settle();
    for (let timer = this.#next(untilMs); timer !== undefined; timer = this.#next(untilMs)) {
      this.#timers.delete(timer);
      this.#nowMs = Math.max(this.#nowMs, timer.dueMs);
      timer.callback();
      await settle();
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  /** Jumps ahead at once, like a computer that slept; due timers are called afterwards. */
  async leap(durationMs: number): Promise<void> {
    await settle();
    this.#nowMs = parseMoment(this.#nowMs + durationMs);
    await this.advance(0);
  }

  #next(untilMs: number): ManualTimer | undefined {
    let first: ManualTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs > untilMs) continue;
      if (!first || timer.dueMs < first.dueMs || (timer.dueMs === first.dueMs && timer.order < first.order))
        first = timer;
    }
    return first;
  }
}

/** Refuses an invalid time, which would never be reached. */
function parseMoment(moment: Date | string | number): number {
  const momentMs = new Date(moment).getTime();
  if (Number.isNaN(momentMs))
    throw new RangeError('A ManualClock expects valid dates and numbers of milliseconds.');
  return momentMs;
}

/** Lets chains of promises settle; each turn of the event loop empties their queue. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => nextTurn(resolve));
}
