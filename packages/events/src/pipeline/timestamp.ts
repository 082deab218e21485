let lastMs = Number.NaN;
let lastText = '';

/** Returns the current time in ISO 8601, UTC. The string is created once per millisecond. */
export function timestampNow(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastText = new Date(now).toISOString();
    lastMs = now;
  }
  return lastText;
}
