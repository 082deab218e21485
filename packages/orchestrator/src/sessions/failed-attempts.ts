/** After so many loops that failed, a run is given up. */
const maxAttempts = 4;

/**
 * How often the loop of each run has failed in this process, and when the next may begin: after 1, 2 and 4 intervals.
 * It is not stored: another process that takes the run over may do better, and counts for itself.
 */
export class FailedAttempts {
  readonly #intervalMs: number;
  readonly #runs = new Map<string, { count: number; notBeforeMs: number }>();

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Counts one more, and says how many there were. */
  add(sessionId: string, nowMs: number): number {
    const count = (this.#runs.get(sessionId)?.count ?? 0) + 1;
    const waitMs = count < maxAttempts ? this.#intervalMs * 2 ** (count - 1) : 0;
    this.#runs.set(sessionId, { count, notBeforeMs: nowMs + waitMs });
    return count;
  }

  /** No attempt more in this process, not even to end the run. */
  putAside(sessionId: string): void {
    this.#runs.set(sessionId, { count: maxAttempts, notBeforeMs: Infinity });
  }

  /** Whether it is too early for the next. */
  isWaiting(sessionId: string, nowMs: number): boolean {
    const run = this.#runs.get(sessionId);
    return run !== undefined && nowMs < run.notBeforeMs;
  }

  /** Whether there is to be no other. */
  isExhausted(sessionId: string): boolean {
    return (this.#runs.get(sessionId)?.count ?? 0) >= maxAttempts;
  }

  forget(sessionId: string): void {
    this.#runs.delete(sessionId);
  }
}
