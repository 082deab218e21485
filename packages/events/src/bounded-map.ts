/**
 * Sets an entry. When the map then holds more than its bound, the older half makes room at once: taking out one oldest
 * entry at a time costs a walk over all that were taken out before.
 */
export function setBounded<Key, Value>(
  map: Map<Key, Value>,
  entry: readonly [Key, Value],
  bound: number,
): void {
  map.set(entry[0], entry[1]);
  if (map.size <= bound) return;
  let excess = map.size - Math.ceil(bound / 2);
  for (const oldest of map.keys()) {
    if (excess <= 0) return;
    map.delete(oldest);
    excess -= 1;
  }
}
