/**
 * Options without those that are null, which is as if they were absent.
 *
 * @throws TypeError when they are no object: a function or a text would be taken for options that say nothing.
 */
export function withoutNulls<Options extends object>(options: Options): Options {
  if (typeof options !== 'object') throw new TypeError(`Options are one object, not ${typeof options}`);
  // Whatever else a caller brings stays the very object, with what it inherits.
  if (options !== null && !Object.values(options).includes(null)) return options;
  const given = { ...options };
  for (const [name, value] of Object.entries(given)) if (value === null) Reflect.deleteProperty(given, name);
  return given;
}

/**
 * Refuses what is left of options once the known ones are taken: a misspelt `audience` would open a bridge to everybody
 * without a word.
 *
 * @throws TypeError naming the option.
 */
export function refuseUnknown(owner: string, options: object): void {
  const [name] = Object.keys(options);
  if (name !== undefined) throw new TypeError(`${owner} does not know the option ${name}`);
}

/** @throws RangeError unless it is a time of more than 0 ms that a timer can wait. */
export function positiveMs(name: string, value: number): number {
  if (typeof value === 'number' && value > 0 && value <= 2 ** 31 - 1) return value;
  throw new RangeError(`${name} must be more than 0 and at most ${2 ** 31 - 1} ms, got ${given(value)}`);
}

/** @throws RangeError unless it is a whole number from a smallest one. */
export function wholeFrom(smallest: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= smallest) return value;
  throw new RangeError(`${name} must be a whole number from ${smallest}, got ${given(value)}`);
}

/** @throws TypeError unless it is a function. */
export function called<Value>(name: string, value: Value): Value {
  if (typeof value === 'function') return value;
  throw new TypeError(`${name} must be a function, got ${typeof value}`);
}

/** @throws RangeError unless it is one of these texts. */
export function oneOf<const Value extends string>(
  name: string,
  value: unknown,
  allowed: readonly Value[],
): Value {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw new RangeError(`${name} must be one of ${allowed.join(', ')}, got ${given(value)}`);
}

/**
 * A value without its methods would be noticed with the first event, by whoever emits it.
 *
 * @throws TypeError unless it has them.
 */
export function withMethods<Value extends object>(
  name: string,
  value: Value,
  methods: readonly (keyof Value)[],
): Value {
  const missing = methods.find((method) => typeof value?.[method] !== 'function');
  if (missing === undefined) return value;
  throw new TypeError(`${name} must have the method ${String(missing)}`);
}

/** What was given, for an error: a text, a number or null itself; of all else the type, which can always be told. */
export function given(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || value === null ? String(value) : typeof value;
}
