import type { Clock } from '../../src/clock.js';

/** A clock that only moves when it is advanced. */
export class ManualClock implements Clock {
  #nowMs: number;
  #timers = new Set<{ atMs: number; callback: () => void }>();

  constructor(nowMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Advances the clock and fires the timers that are due, in order. */
  advance(byMs: number): void {
    const until = this.#nowMs + byMs;
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= until).sort((a, b) => a.atMs - b.atMs)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.callback();
    }
    this.#nowMs = until;
  }

  /** How many timers are pending. */
  get waiting(): number {
    return this.#timers.size;
  }
}
