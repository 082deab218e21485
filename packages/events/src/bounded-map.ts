/** The maximum number of remembered entries of a kind: a stream may run for days. */
export const MOST_REMEMBERED = 10_000;

/**
 * Sets an entry. If the map is then too large, its older half is removed at once: removing the oldest entry one at a time
 * walks over all entries removed before.
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
