// Kept equal to that of @svc/events by a test: neither is part of the public API.

/**
 * Returns the options by name, own and inherited alike, without those that are null, which count as absent. `known` names
 * every option, or it does not compile.
 *
 * @throws TypeError for an unknown option: a misspelt `audience` would silently open a bridge to everybody.
 * @throws TypeError for anything but an object with options by name: what is in a `Map` or an array would have no effect.
 */
export function readOptions<Options extends object>(
  owner: string,
  options: Options,
  known: Record<keyof Options, true>,
): Options {
  const given: object = options ?? {};
  if (typeof given !== 'object' || Symbol.iterator in given)
    throw new TypeError(`${owner}: options must be an object with options by name, got ${kindOf(given)}`);
  const names = Object.keys(known);
  for (const name in given) {
    if (!Object.hasOwn(known, name) && Reflect.get(given, name) !== null)
      throw new TypeError(`${owner}: unknown option '${name}'. Known options: ${names.join(', ')}.`);
  }
  const values = names.map((name) => [name, Reflect.get(given, name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value != null)) as Options;
}

function kindOf(options: object): string {
  if (options instanceof Map) return 'a Map: use Object.fromEntries(map)';
  if (Array.isArray(options)) return 'an array';
  return typeof options === 'object' ? 'an iterable' : typeof options;
}

/** @throws RangeError unless the value is a duration above 0 ms that a timer supports. */
export function positiveMs(name: string, value: number): number {
  if (typeof value === 'number' && value > 0 && value <= 2 ** 31 - 1) return value;
  throw new RangeError(`${name} must be more than 0 and at most ${2 ** 31 - 1} ms, got ${show(value)}`);
}

/** @throws RangeError unless the value is a whole number of at least `smallest`. */
export function wholeFrom(smallest: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= smallest) return value;
  throw new RangeError(`${name} must be a whole number of at least ${smallest}, got ${show(value)}`);
}

/** @throws TypeError unless the value is a function. */
export function callable<Value>(name: string, value: Value): Value {
  if (typeof value === 'function') return value;
  throw new TypeError(`${name} must be a function, got ${typeof value}`);
}

/** @throws RangeError unless the value is one of these strings. */
export function oneOf<const Value extends string>(
  name: string,
  value: unknown,
  allowed: readonly Value[],
): Value {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw new RangeError(`${name} must be one of ${allowed.join(', ')}, got ${show(value)}`);
}

/** Describes a value in an error: strings, numbers and null as they are, anything else by its type. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || value === null ? String(value) : typeof value;
}
