/** The orchestrator's time; tests supply their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Calls back once after the delay; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Repeats work, waiting one interval after each time; the returned function stops it. */
export function repeat(
  { clock, intervalMs, onError }: { clock: Clock; intervalMs: number; onError: (error: unknown) => void },
  work: () => Promise<void>,
): () => void {
  let isOver = false;
  let cancel: () => void;
  const schedule = () => {
    if (isOver) return;
    cancel = clock.after(intervalMs, () => void work().catch(onError).finally(schedule));
  };
  schedule();
  return () => {
    isOver = true;
    cancel();
  };
}

export const DAY_MS = 86_400_000;

/** Longer delays overflow Node's timers and would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time of the system. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), LONGEST_TIMER_MS));
    // A waiting run must not keep an otherwise idle process alive.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
