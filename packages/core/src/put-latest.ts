/** Puts an entry into a map as the latest one, and drops the oldest entries beyond a maximum. */
export function putLatest<Key, Value>(
  map: Map<Key, Value>,
  [key, value]: readonly [Key, Value],
  maxEntries: number,
): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= maxEntries) return;
    map.delete(oldest);
  }
}
