const shortestIdleMs = 5_000;
const longestIdleMs = 120_000;

/**
 * Returns how long a connection may be silent before it counts as dead, in milliseconds: two and a half times the
 * interval between heartbeats, and at least five seconds. It falls slowly and rises at once, because a timeout that is too
 * long costs a moment, and one that is too short costs a connection.
 *
 * @param gapMs The interval, whatever was sent in between; NaN after the first heartbeat, which changes nothing.
 */
export function adaptIdleTimeout(timeoutMs: number, gapMs: number): number {
  return Math.max(shortestIdleMs, timeoutMs * 0.75, Math.min(longestIdleMs, gapMs * 2.5)) || timeoutMs;
}
