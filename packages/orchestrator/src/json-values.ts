/** How many more values there may be after those of a JSON value; counting stops below 0. */
export function valuesLeft(value: unknown, most: number): number {
  let left = most - 1;
  if (typeof value !== 'object' || value === null) return left;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) {
    if (left < 0) return left;
    left = valuesLeft(member, left);
  }
  return left;
}
