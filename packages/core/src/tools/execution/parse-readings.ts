import type { Parsed } from '../declaration/tool.js';

/**
 * Parses a value with one or two readings: the first that matches counts, as it is or with the second one's values in the
 * places that do not match. If none matches, the issues are those of the first.
 */
export async function parseReadings<Value>(
  [first, ...others]: readonly unknown[],
  parse: (reading: unknown) => Promise<Parsed<Value>>,
): Promise<Parsed<Value>> {
  const [tried] = await Promise.allSettled([parse(first)]);
  if (tried.status === 'fulfilled' && tried.value.ok) return tried.value;
  // A schema's own code may throw for an unexpected value, which does not name a place.
  const mismatches = tried.status === 'fulfilled' && !tried.value.ok ? tried.value.issues : [{ path: '' }];
  const places = mismatches.map(({ path }) => path);
  for (const reading of others.flatMap((other) => [mix(first, other, places), other])) {
    const [other] = await Promise.allSettled([parse(reading)]);
    if (other.status === 'fulfilled' && other.value.ok) return other.value;
  }
  if (tried.status === 'rejected') throw tried.reason;
  return tried.value;
}

/** Returns the first value with the other's values in the places that did not match; both have the same shape. */
function mix(first: unknown, other: unknown, mismatches: readonly string[]): unknown {
  if (mismatches.includes('')) return other;
  if (mismatches.length === 0 || typeof first !== 'object' || first === null) return first;
  const mixed = Object.entries(first).map(([name, value]) => [
    name,
    mix(value, Object(other)[name], mismatches.flatMap(within(name))),
  ]);
  return Array.isArray(first) ? mixed.map(([, value]) => value) : Object.fromEntries(mixed);
}

/** Returns the rest of a path after a name; nothing if the path does not start with it. */
function within(name: string): (path: string) => string[] {
  return (path) => {
    if (path === name) return [''];
    return path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [];
  };
}
