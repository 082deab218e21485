import { createValueMatcher, type ValueMatcher } from '@svc/redaction';

/** How many values are remembered; tokens that change push out older ones. */
const MOST_VALUES = 64;

/** The values that were handed to a server in confidence, so that nothing it says back can show them. */
export class Secrets {
  /** Names by value. */
  readonly #names = new Map<string, string>();
  #matcher: ValueMatcher | undefined;

  /** Notes values by name, such as those of headers or of environment variables. */
  add(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) {
      this.#add(name, value);
      // Of `Bearer x` a server may say `x` alone.
      if (value.includes(' ')) this.#add(name, value.slice(value.indexOf(' ') + 1));
    }
  }

  /** The text without them. */
  clean(text: string): string {
    if (this.#names.size === 0) return text;
    this.#matcher ??= createValueMatcher([...this.#names].map(([value, name]) => ({ name, value })));
    return this.#matcher.replace(text);
  }

  #add(name: string, value: string): void {
    if (this.#names.has(value)) return;
    this.#names.set(value, name);
    this.#matcher = undefined;
    const [oldest] = this.#names.keys();
    if (this.#names.size > MOST_VALUES && oldest !== undefined) this.#names.delete(oldest);
  }
}
