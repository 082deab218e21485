/** The longest wait before another attempt, in milliseconds, unless the server asks for more. */
const longestDelayMs = 30_000;
/** The longest wait a server may ask for, in milliseconds; timers overflow far above it. */
const longestRetryAfterMs = 600_000;
/** The longest wait after the end of a turn, in milliseconds: readers should not come back as one. */
export const nextTurnMs = 100;
/** How long a connection may say nothing before it counts as live, in milliseconds. */
export const firstBytesMs = 100;
/** How long a page that is left waits, in milliseconds. One that the browser keeps stands still; this one was not left. */
export const leftMs = 30_000;

/**
 * Full-jitter exponential back-off: anywhere between now and `baseMs` doubled for every failure after the first, so that
 * readers that lost one server do not come back together.
 *
 * @param random A number from 0 up to 1.
 */
export function backOffMs(failures: number, baseMs: number, random: number): number {
  return random * Math.min(longestDelayMs, Math.max(10, baseMs) * 2 ** Math.max(0, failures - 1));
}

/** What a `Retry-After` header asks for in milliseconds, from seconds or an HTTP date; 0 when it asks for nothing. */
export function retryAfterMs(header: string | null, nowMs: number): number {
  const seconds = Number(header);
  const waitMs = isNaN(seconds) ? Date.parse(`${header}`) - nowMs : seconds * 1000;
  // A text that is neither is NaN, which asks for nothing.
  return waitMs > 0 ? Math.min(waitMs, longestRetryAfterMs) : 0;
}
