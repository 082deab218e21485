const shortestPatienceMs = 5_000;
const longestPatienceMs = 120_000;

/**
 * Learns how often a server sends heartbeats, and so how long silence may last before the connection counts as dead.
 * The cadence is the time from one heartbeat to the next, whatever stands between them. It falls slowly and rises at
 * once, because too much patience costs a moment and too little costs a connection.
 */
export class HeartbeatWatch {
  /** How long silence may last, in milliseconds: two and a half heartbeats, and at least five seconds. */
  patienceMs = 60_000;
  #lastBeatAt = NaN;

  /** A heartbeat came. */
  beat(nowMs: number): void {
    const seenMs = Math.min(longestPatienceMs, (nowMs - this.#lastBeatAt) * 2.5);
    // Without an earlier one it is NaN, and nothing is learned.
    if (seenMs) this.patienceMs = Math.max(shortestPatienceMs, seenMs, this.patienceMs * 0.75);
    this.#lastBeatAt = nowMs;
  }
}
