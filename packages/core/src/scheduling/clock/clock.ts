/** A timer that was started and can be cancelled. */
export interface ClockTimer {
  cancel(): void;
}

/** The clock of schedules. Tests use a {@link ManualClock}. */
export interface Clock {
  /** Returns the current time, in milliseconds since the epoch. */
  now(): number;
  /**
   * Calls back once, about `delayMs` milliseconds from now. `keepsAlive` says whether the timer keeps the process
   * alive.
   */
  startTimer(delayMs: number, callback: () => void, options: { keepsAlive: boolean }): ClockTimer;
}

/** The clock of this computer. */
export const systemClock: Clock = {
  now: () => Date.now(),
  startTimer(delayMs, callback, { keepsAlive }) {
    const timer = setTimeout(callback, delayMs);
    if (!keepsAlive) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
