/** The most entries that are remembered of a kind: a stream may run for days. */
export const MOST_REMEMBERED = 10_000;

/**
 * Sets an entry. When the map then holds too many, the older half makes room at once: taking out one oldest entry at a
 * time costs a walk over all that were taken out before.
 */
export function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.set(key, value);
  if (map.size <= MOST_REMEMBERED) return;
  let excess = map.size - MOST_REMEMBERED / 2;
  for (const oldest of map.keys()) {
    if (excess <= 0) return;
    map.delete(oldest);
    excess -= 1;
  }
}
