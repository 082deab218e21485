import { isDeepStrictEqual } from 'node:util';
import { createValueMatcher, type ValueMatcher } from '@svc/redaction';
import type { ApiKey } from '../config/api-key.js';

/** A private value by name, as a matcher and a bridge take it. */
export interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** Every private value known to a run, and the means to take them out of whatever leaves the process. */
export class PrivateValues {
  readonly #values: NamedValue[] = [];
  readonly #known = new Set<unknown>();
  readonly #keys = new Map<string, NamedValue>();
  #matcher: ValueMatcher | undefined;

  /** Adds values that must not leave from now on. Those that are known already change nothing. */
  add(values: Iterable<NamedValue>): void {
    for (const given of values) {
      if (this.#isKnown(given)) continue;
      this.#known.add(given.value);
      this.#values.push(given);
      this.#matcher = undefined;
    }
  }

  /** Takes out an API key too, which a tool may come across; it is not listed. One that could be a word of any text stays. */
  hideKey(key: ApiKey): void {
    const value = key.reveal();
    if (!key.isRecognizable || this.#keys.has(value)) return;
    this.#keys.set(value, { name: 'SVC_API_KEY', value });
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

  /** A JSON copy without any known value, for those who watch: what they do to it changes nothing. What has no form in JSON becomes a note. */
  copy(value: unknown): unknown {
    try {
      const text = JSON.stringify(value);
      return text === undefined ? undefined : this.clean(JSON.parse(text));
    } catch {
      return '[not serializable]';
    }
  }

  /** The values themselves, for a bridge that cleans what it shows. */
  list(): readonly NamedValue[] {
    return [...this.#values];
  }

  /** A schema makes a new object of the same data at every call. */
  #isKnown({ name, value }: NamedValue): boolean {
    if (this.#known.has(value)) return true;
    if (typeof value !== 'object' || value === null) return false;
    return this.#values.some((known) => known.name === name && isDeepStrictEqual(known.value, value));
  }

  #current(): ValueMatcher {
    this.#matcher ??= createValueMatcher([...this.#values, ...this.#keys.values()]);
    return this.#matcher;
  }
}
