/** The maximum nesting: far deeper than real data, and far from where `JSON.stringify` overflows the stack. */
export const MAX_JSON_DEPTH = 1000;

/** Whether a JSON value is nested deeper than {@link MAX_JSON_DEPTH} levels. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_JSON_DEPTH) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isTooDeep(member, depth + 1));
}
