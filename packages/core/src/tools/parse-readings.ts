import type { Parsed } from './tool.js';

/**
 * Parses what may be meant in one or two ways: the first one counts that fits, as it is or with the second one's values
 * where its own do not. If none does, it tells what is wrong with the first one.
 */
export async function parseReadings<Value>(
  [first, ...others]: readonly unknown[],
  parse: (reading: unknown) => Promise<Parsed<Value>>,
): Promise<Parsed<Value>> {
  const [tried] = await Promise.allSettled([parse(first)]);
  if (tried.status === 'fulfilled' && tried.value.ok) return tried.value;
  // A schema's own code may throw at what it does not expect, which says nothing of the place.
  const unfit = tried.status === 'fulfilled' && !tried.value.ok ? tried.value.issues : [{ path: '' }];
  const places = unfit.map(({ path }) => path);
  for (const reading of others.flatMap((other) => [mix(first, other, places), other])) {
    const [other] = await Promise.allSettled([parse(reading)]);
    if (other.status === 'fulfilled' && other.value.ok) return other.value;
  }
  if (tried.status === 'rejected') throw tried.reason;
  return tried.value;
}

/** The first value with the other's in the places that did not fit; both have the same shape. */
function mix(first: unknown, other: unknown, unfit: readonly string[]): unknown {
  if (unfit.includes('')) return other;
  if (unfit.length === 0 || typeof first !== 'object' || first === null) return first;
  const mixed = Object.entries(first).map(([name, value]) => [
    name,
    mix(value, Object(other)[name], unfit.flatMap(within(name))),
  ]);
  return Array.isArray(first) ? mixed.map(([, value]) => value) : Object.fromEntries(mixed);
}

/** A path as it goes on from a name; nothing if it does not lead there. */
function within(name: string): (path: string) => string[] {
  return (path) => {
    if (path === name) return [''];
    return path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [];
  };
}
