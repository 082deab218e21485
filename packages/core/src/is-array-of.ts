/** Whether a value is an array of only such items. A hole counts as `undefined`. */
export function isArrayOf<Item>(
  value: unknown,
  isItem: (item: unknown) => item is Item,
): value is readonly Item[] {
  // `every` skips the holes of an array, but not those of its copy.
  return Array.isArray(value) && [...value].every(isItem);
}
