/** How much is kept, in bytes: as much as one session's events in a `MemoryEventLog`. */
const maxBytes = 64 * 1024 * 1024;

/** How long a value is kept in any case: a reader that is slow, or was cut off, still gets the end of its run. */
const minAgeMs = 60_000;

interface Kept {
  readonly bytes: number;
  readonly addedAtMs: number;
  readonly drop: () => void;
}

/** Keeps what a store in memory may forget to about 64 MiB and the last minute: what was added first is dropped first. */
export class MemoryBound {
  readonly #kept = new Map<object, Kept>();
  #total = 0;

  /** Counts a value under a key that is not counted yet. `drop` is called once there is no room left for it. */
  add(key: object, { value, nowMs, drop }: { value: unknown; nowMs: number; drop: () => void }): void {
    const bytes = estimateBytes(value);
    this.#kept.set(key, { bytes, addedAtMs: nowMs, drop });
    this.#total += bytes;
    for (const [oldest, kept] of this.#kept) {
      // After the clock was set back, values from its future must not count as young until it catches up.
      if (this.#total <= maxBytes || Math.abs(nowMs - kept.addedAtMs) < minAgeMs) return;
      this.delete(oldest);
      kept.drop();
    }
  }

  /** No longer counts a value. Does not drop it. */
  delete(key: object): void {
    this.#total -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

/** Roughly the heap that a JSON value takes. Nothing is written out, because a run may hold many megabytes. */
function estimateBytes(value: unknown): number {
  let bytes = 0;
  const parts = [value];
  while (parts.length > 0) {
    const part = parts.pop();
    bytes += 16;
    if (typeof part === 'string') bytes += part.length;
    if (typeof part !== 'object' || part === null) continue;
    bytes += 32;
    for (const each of Object.values(part)) parts.push(each);
  }
  return bytes;
}
