import { GrowingMatcher } from './growing-matcher.js';
import { SHORTEST_FOUND_VALUE } from './matching/compile-patterns.js';
import { PlaceholderNames } from './placeholder-names.js';
import { knownTexts } from './private-value.js';
import type { ValueMatch } from './value-matcher.js';

/** The values that already have names. */
export class NamedValues {
  readonly names = new PlaceholderNames();
  readonly #taken = new Set<string>();
  readonly #matcher = new GrowingMatcher();
  /** Values too short to be found inside a text, which are only found as a whole one. */
  readonly #byShortText = new Map<string, string>();

  constructor(privateData: Readonly<Record<string, unknown>>) {
    for (const [name, value] of Object.entries(privateData)) this.names.register(name, value);
    this.add(privateData);
  }

  /** Adds values whose names are already registered. */
  add(named: Readonly<Record<string, unknown>>): void {
    const values = Object.entries(named).map(([name, value]) => ({ name, value }));
    this.#matcher.add(values);
    for (const { name } of values) this.#taken.add(name);
    for (const { name, text } of knownTexts(values)) {
      if (isShort(text) && !this.#byShortText.has(text)) this.#byShortText.set(text, name);
    }
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Finds the values in a text. */
  *find(text: string): Generator<ValueMatch> {
    const whole = this.#byShortText.get(text.trim());
    if (whole !== undefined) yield { name: whole, start: 0, end: text.length };
    yield* this.#matcher.find(text);
  }
}

/** Whether a value's text is too short to be found inside another. */
export function isShort(text: string): boolean {
  return text.length < SHORTEST_FOUND_VALUE;
}
