/** A value to be found, and the name that may be shown in its place. */
export interface PrivateValue {
  /** The data name, as in `agent.privateData`. It is public. */
  readonly name: string;
  /**
   * The value. A string, number or bigint is found as its text; of a list or object every string, number and bigint in
   * it. `true`, `false`, `null` and blank strings say too little to be found and are passed over.
   */
  readonly value: unknown;
}

/** A private value's text, to be looked for. */
export interface KnownText {
  readonly name: string;
  readonly text: string;
}

const DEEPEST_VALUE = 32;

/** Every text to be looked for, without surrounding white space, each once. */
export function knownTexts(values: Iterable<PrivateValue>): KnownText[] {
  const texts = new Map<string, string>();
  for (const { name, value } of values) {
    for (const text of leaves(value, 0, new Map())) {
      const trimmed = text.trim();
      if (trimmed !== '' && !texts.has(trimmed)) texts.set(trimmed, name);
    }
  }
  return Array.from(texts, ([text, name]) => ({ name, text }));
}

/** `walked` has the objects that were looked at, with their least depth: one that refers to itself is looked at once. */
function* leaves(value: unknown, depth: number, walked: Map<object, number>): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'bigint') yield String(value);
  else if (typeof value === 'number') {
    if (Number.isFinite(value)) yield String(value);
  } else if (typeof value === 'object' && value !== null && depth < (walked.get(value) ?? DEEPEST_VALUE)) {
    walked.set(value, depth);
    const data = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
    if (typeof data !== 'object' || data === null) yield* leaves(data, depth + 1, walked);
    else for (const item of Object.values(data)) yield* leaves(item, depth + 1, walked);
  }
}
