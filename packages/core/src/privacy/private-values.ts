import { Buffer, isUtf8 } from 'node:buffer';
import { createValueMatcher, knownTexts, type ValueMatcher } from '@svc/redaction';
import type { ApiKey } from '../config/api-key.js';

/** A private value by name, as a matcher and a bridge take it. */
export interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** The values of an owner, and those that were the last. */
interface FollowedValues {
  readonly read: () => Iterable<NamedValue>;
  known: readonly NamedValue[];
}

/** A value of so many letters does not stand in a file's base64 by chance. */
const NO_CHANCE = 12;

/** Every private value known to a run, and the means to take them out of whatever leaves the process. */
export class PrivateValues {
  /** By their texts, so that an object that is changed in place hides what it held and what it holds. */
  readonly #values = new Map<string, NamedValue>();
  readonly #keys = new Map<string, NamedValue>();
  readonly #followed = new Map<object, FollowedValues>();
  #matcher: ValueMatcher | undefined;

  /** Adds values that must not leave from now on; of a list or an object, all that is in it now. Those that are known already change nothing. */
  add(values: Iterable<NamedValue>): void {
    for (const { name, text } of knownTexts(values)) {
      if (this.#values.has(text)) continue;
      this.#values.set(text, { name, value: text });
      this.#matcher = undefined;
    }
  }

  /** Adds the values of an owner, now and whenever something is to be cleaned: a tool may set one and tell it. */
  follow(owner: object, read: () => Iterable<NamedValue>): void {
    const known = [...read()];
    this.#followed.set(owner, { read, known });
    this.add(known);
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

  /** The fields of a log line, or the arguments of a call, with every known value replaced; their names stay. */
  cleanFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, this.clean(value)]));
  }

  /** A file in base64 with every known value in its text replaced; one that is no text in UTF-8 stays as it is. */
  cleanFile(base64: string): string {
    const bytes = Buffer.from(base64, 'base64');
    if (!isUtf8(bytes)) return base64;
    const text = bytes.toString();
    const cleaned = this.cleanText(text);
    return cleaned === text ? base64 : Buffer.from(cleaned).toString('base64');
  }

  /** A file in base64 as {@link cleanFile} leaves it, without longer values that stand in the base64 itself, such as a key. */
  cleanBytes(base64: string): string {
    const file = this.cleanFile(base64);
    const isMeant = this.#current()
      .find(file)
      .some(({ start, end }) => end - start >= NO_CHANCE);
    return isMeant ? this.cleanText(file) : file;
  }

  /** A JSON copy without any known value, for those who watch: what they do to it changes nothing. Bytes become base64, what has no form in JSON a note. */
  copy(value: unknown): unknown {
    try {
      const text = JSON.stringify(value, bytesAsText);
      return text === undefined ? undefined : this.clean(JSON.parse(text));
    } catch {
      return '[not serializable]';
    }
  }

  /** The values as texts, for a bridge that cleans what it shows. */
  list(): readonly NamedValue[] {
    this.#addFollowed();
    return [...this.#values.values()];
  }

  #addFollowed(): void {
    for (const followed of this.#followed.values()) {
      const now = [...followed.read()];
      if (isSame(now, followed.known)) continue;
      followed.known = now;
      this.add(now);
    }
  }

  #current(): ValueMatcher {
    this.#addFollowed();
    this.#matcher ??= createValueMatcher([...this.#values.values(), ...this.#keys.values()]);
    return this.#matcher;
  }
}

/** Whether nothing can have been added; an object can be changed in place. */
function isSame(now: readonly NamedValue[], known: readonly NamedValue[]): boolean {
  return now.every(({ value }, i) => typeof value !== 'object' && value === known[i]?.value);
}

/** A buffer turns itself into a list of numbers, in which no private value is found, before anybody is asked. */
function bytesAsText(this: Readonly<Record<string, unknown>>, key: string, item: unknown): unknown {
  const held = this[key];
  if (held instanceof ArrayBuffer) return Buffer.from(held).toString('base64');
  if (!ArrayBuffer.isView(held)) return item;
  return Buffer.from(held.buffer, held.byteOffset, held.byteLength).toString('base64');
}
