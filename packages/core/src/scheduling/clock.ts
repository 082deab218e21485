/** A timer that was started and can be given up. */
export interface ClockTimer {
  cancel(): void;
}

/** The time that schedules live by. Tests hand in a {@link ManualClock}. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once, about `delayMs` milliseconds from now; `keepsAlive` says whether the process stays up for it. */
  startTimer(delayMs: number, callback: () => void, options: { keepsAlive: boolean }): ClockTimer;
}

/** The time of this computer. */
export const systemClock: Clock = {
  now: () => Date.now(),
  startTimer(delayMs, callback, { keepsAlive }) {
    const timer = setTimeout(callback, delayMs);
    if (!keepsAlive) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
