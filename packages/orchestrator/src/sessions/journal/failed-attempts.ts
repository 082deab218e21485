/** A run is given up after this many failed loops. */
const maxAttempts = 4;

/**
 * How often each run's loop has failed in this process, and when it may be retried: after 1, 2 and 4 intervals. Not
 * stored: another process that takes the run over may succeed, so it counts from zero.
 */
export class FailedAttempts {
  readonly #intervalMs: number;
  readonly #runs = new Map<string, { count: number; notBeforeMs: number }>();

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Counts a failure and returns the total. */
  add(sessionId: string, nowMs: number): number {
    const count = (this.#runs.get(sessionId)?.count ?? 0) + 1;
    const waitMs = count < maxAttempts ? this.#intervalMs * 2 ** (count - 1) : 0;
    this.#runs.set(sessionId, { count, notBeforeMs: nowMs + waitMs });
    return count;
  }

  /** Allows no more attempts in this process, not even to end the run. */
  putAside(sessionId: string): void {
    this.#runs.set(sessionId, { count: maxAttempts, notBeforeMs: Infinity });
  }

  /** Whether it is too early for the next attempt. */
  isWaiting(sessionId: string, nowMs: number): boolean {
    const run = this.#runs.get(sessionId);
    return run !== undefined && nowMs < run.notBeforeMs;
  }

  /** Whether no attempts are left. */
  isExhausted(sessionId: string): boolean {
    return (this.#runs.get(sessionId)?.count ?? 0) >= maxAttempts;
  }

  forget(sessionId: string): void {
    this.#runs.delete(sessionId);
  }
}
