/** The longest wait before a retry, in milliseconds, unless the server asks for more. */
const longestDelayMs = 30_000;
/** The longest wait a server may ask for, in milliseconds; timers overflow far above it. */
const longestRetryAfterMs = 600_000;
/** The longest wait after the end of a turn, in milliseconds: readers should not all reconnect at once. */
export const nextTurnMs = 100;
/** How long a response may take to begin, in milliseconds: the browser may have sent the request over a dead connection. */
export const responseMs = 15_000;
/** How long a connection may be silent before it counts as live, in milliseconds. */
export const firstBytesMs = 100;
/** The wait after `pagehide`, in milliseconds. A page that is left is frozen; one that still runs was not left. */
export const pageLeftMs = 30_000;

/**
 * Returns a full-jitter exponential back-off: anywhere from 0 to `baseMs` doubled for every failure after the first, so
 * that readers that lost the same server do not all reconnect at once.
 *
 * @param random A number from 0 up to 1.
 */
export function backOffMs(failures: number, baseMs: number, random: number): number {
  return random * Math.min(longestDelayMs, Math.max(10, baseMs) * 2 ** Math.max(0, failures - 1));
}

/** Returns the wait of a `Retry-After` header in milliseconds, from seconds or an HTTP date; 0 if there is none. */
export function retryAfterMs(header: string | null, nowMs: number): number {
  const waitMs = 1000 * Number(header) || Date.parse(`${header}`) - nowMs;
  // A value that is neither is NaN, which asks for nothing; 0 is a date in the past.
  return waitMs > 0 ? Math.min(waitMs, longestRetryAfterMs) : 0;
}
