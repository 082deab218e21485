const shortestPatienceMs = 5_000;
const longestPatienceMs = 120_000;

/**
 * Returns how long a connection may be silent before it counts as dead, in milliseconds: two and a half times the
 * interval between heartbeats, and at least five seconds. It falls slowly and rises at once, because too much patience
 * costs a moment and too little costs a connection.
 *
 * @param gapMs The interval, whatever was sent in between; NaN after the first heartbeat, which changes nothing.
 */
export function learnPatience(patienceMs: number, gapMs: number): number {
  const seenMs = Math.min(longestPatienceMs, gapMs * 2.5);
  return Math.max(shortestPatienceMs, seenMs, patienceMs * 0.75) || patienceMs;
}
