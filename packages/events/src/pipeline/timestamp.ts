let lastMs = Number.NaN;
let lastText = '';

/** The time now as ISO 8601 in UTC. Within a millisecond the text is made once. */
export function timestampNow(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastText = new Date(now).toISOString();
    lastMs = now;
  }
  return lastText;
}
