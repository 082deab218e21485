/** Puts an entry into a map as the latest one. Of more than so many entries the oldest go. */
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
