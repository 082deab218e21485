/** The maximum nesting: far deeper than real data, and far from where `JSON.stringify` overflows the stack. */
export const MAX_JSON_DEPTH = 1000;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a JSON value is nested deeper than {@link MAX_JSON_DEPTH} levels. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_JSON_DEPTH) return true;
    level = level.flatMap((each) => Object.values(each).filter(isNested));
  }
  return false;
}
