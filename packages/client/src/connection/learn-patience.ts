const shortestPatienceMs = 5_000;
const longestPatienceMs = 120_000;

/**
 * How long silence may last before a connection counts as dead, in milliseconds: two and a half times the gap between
 * one heartbeat and the next, whatever stands between them, and at least five seconds. It falls slowly and rises at
 * once, because too much patience costs a moment and too little costs a connection.
 *
 * @param gapMs NaN after the first heartbeat, from which nothing is learned.
 */
export function learnPatience(patienceMs: number, gapMs: number): number {
  const seenMs = Math.min(longestPatienceMs, gapMs * 2.5);
  return Math.max(shortestPatienceMs, seenMs, patienceMs * 0.75) || patienceMs;
}
