import { GrowingMatcher } from './growing-matcher.js';
import { PlaceholderNames } from './placeholder-names.js';
import type { ValueMatch } from './value-matcher.js';

/** The values that already have names. */
export class NamedValues {
  readonly names = new PlaceholderNames();
  readonly #taken = new Set<string>();
  readonly #matcher = new GrowingMatcher();

  constructor(privateData: Readonly<Record<string, unknown>>) {
    for (const [name, value] of Object.entries(privateData)) this.names.register(name, value);
    this.add(privateData);
  }

  /** Adds values whose names are already registered. */
  add(named: Readonly<Record<string, unknown>>): void {
    this.#matcher.add(Object.entries(named).map(([name, value]) => ({ name, value })));
    for (const name of Object.keys(named)) this.#taken.add(name);
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Finds the values in a text. */
  find(text: string): ValueMatch[] {
    return this.#matcher.find(text);
  }
}
