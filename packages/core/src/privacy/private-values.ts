import { createValueMatcher, type ValueMatcher } from '@svc/redaction';

/** A private value by name, as a matcher and a bridge take it. */
export interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** Every private value known to a run, and the means to take them out of whatever leaves the process. */
export class PrivateValues {
  readonly #values: NamedValue[] = [];
  #matcher: ValueMatcher | undefined;

  /** Adds values that must not leave from now on. */
  add(values: Iterable<NamedValue>): void {
    this.#values.push(...values);
    this.#matcher = undefined;
  }

  /** The text with every known value replaced by its placeholder, in whatever encoding it stands. */
  cleanText(text: string): string {
    return this.#current().replace(text);
  }

  /** JSON data with every known value replaced, in strings, keys and numbers at any depth. */
  clean(json: unknown): unknown {
    return this.#current().scrub(json);
  }

  /** The values themselves, for a bridge that cleans what it shows. */
  list(): readonly NamedValue[] {
    return [...this.#values];
  }

  #current(): ValueMatcher {
    this.#matcher ??= createValueMatcher(this.#values);
    return this.#matcher;
  }
}
