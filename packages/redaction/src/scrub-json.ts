/** What one scrub hides. Where there is nothing to hide, a method returns its argument, and `number` returns undefined. */
export interface JsonScrubber {
  /** Returns the replacement of a string that is a JSON value. */
  text(text: string): string;
  /** Returns the replacement of a number that is a JSON value. */
  number(value: number | bigint): string | undefined;
  /** Returns the replacement of an object key. */
  key(key: string): string;
}

/** Data deeper than this many levels is replaced by {@link TOO_DEEP}, so that nothing unchecked gets through. */
export const DEEPEST_LEVEL = 256;
/** Replaces data that is too deep to be checked. */
const TOO_DEEP = '[too deep]';

/**
 * Hides private values in every string, number and key of a JSON value. Returns the same value if there is nothing to
 * hide, else a copy; never changes its input. Cycles stay cycles in the copy.
 */
export function scrubJson(value: unknown, scrubber: JsonScrubber): unknown {
  return isClean(value, scrubber, []) ? value : copyClean(value, scrubber, 0, new Map());
}

type Container = unknown[] | Record<string, unknown>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** What JSON writes for a value: `toJSON` is called on an object such as a date, but not on its result. */
function writtenAs(value: unknown): unknown {
  if (!isContainer(value)) return value;
  return unboxed('toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value);
}

/** Returns the string or number in a `String` or `Number` object, as JSON writes it; else the value itself. */
export function unboxed(value: unknown): unknown {
  // oxlint-disable-next-line unicorn/no-instanceof-builtins -- these objects are what it looks for
  return value instanceof String || value instanceof Number ? value.valueOf() : value;
}

function isClean(original: unknown, scrubber: JsonScrubber, above: object[]): boolean {
  const value = writtenAs(original);
  if (typeof value === 'string') return scrubber.text(value) === value;
  if (typeof value === 'number' || typeof value === 'bigint') return scrubber.number(value) === undefined;
  if (!isContainer(value) || above.includes(value)) return true;
  if (above.length >= DEEPEST_LEVEL) return false;
  above.push(value);
  const isWholeClean = isContainerClean(value, scrubber, above);
  above.pop();
  return isWholeClean;
}

function isContainerClean(value: Container, scrubber: JsonScrubber, above: object[]): boolean {
  if (Array.isArray(value)) return value.every((item) => isClean(item, scrubber, above));
  for (const key of Object.keys(value)) {
    if (scrubber.key(key) !== key || !isClean(value[key], scrubber, above)) return false;
  }
  return true;
}

function copyClean(
  original: unknown,
  scrubber: JsonScrubber,
  depth: number,
  copies: Map<object, unknown>,
): unknown {
  const value = writtenAs(original);
  if (typeof value === 'string') return scrubber.text(value);
  if (typeof value === 'number' || typeof value === 'bigint') return scrubber.number(value) ?? value;
  if (!isContainer(value)) return value;
  if (copies.has(value)) return copies.get(value);
  if (depth >= DEEPEST_LEVEL) return TOO_DEEP;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const item of value) list.push(copyClean(item, scrubber, depth + 1, copies));
    return list;
  }
  const copy: Record<string, unknown> = {};
  copies.set(value, copy);
  const lastNumbers = new Map<string, number>();
  for (const [key, item] of Object.entries(value)) {
    // JSON would call a copied `toJSON`, which could return the original data.
    if (key === 'toJSON' && typeof item === 'function') continue;
    define(copy, freeKey(copy, scrubber.key(key), lastNumbers), copyClean(item, scrubber, depth + 1, copies));
  }
  return copy;
}

/** Keys that contained the same value may become equal. Counting continues where it stopped: there may be very many. */
function freeKey(copy: Record<string, unknown>, key: string, lastNumbers: Map<string, number>): string {
  if (!Object.hasOwn(copy, key)) return key;
  let number = (lastNumbers.get(key) ?? 1) + 1;
  while (Object.hasOwn(copy, `${key}_${number}`)) number += 1;
  lastNumbers.set(key, number);
  return `${key}_${number}`;
}

/** Plain assignment to `__proto__` would change the copy's prototype. */
function define(copy: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  } else copy[key] = value;
}
