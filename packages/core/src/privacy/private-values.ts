import { Buffer, isUtf8 } from 'node:buffer';
import { createValueMatcher, knownTexts, type ValueMatcher } from '@svc/redaction';
import type { ApiKey } from '../config/api-key.js';

/** A private value with its name, as a matcher and a bridge accept it. */
export interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** The values of an owner, and those last read. */
interface FollowedValues {
  readonly read: () => Iterable<NamedValue>;
  known: readonly NamedValue[];
}

/** A value of this length does not occur in a file's base64 by chance. */
const UNMISTAKABLE_LENGTH = 12;

/** All private values known to a run; removes them from everything that leaves the process. */
export class PrivateValues {
  /** By their texts, so that the old and new values of an object changed in place are hidden. */
  readonly #values = new Map<string, NamedValue>();
  readonly #keys = new Map<string, NamedValue>();
  readonly #followed = new Map<object, FollowedValues>();
  #matcher: ValueMatcher | undefined;

  /**
   * Adds values that must not leave from now on, including all current values in arrays and objects. Known ones have no
   * effect.
   */
  add(values: Iterable<NamedValue>): void {
    for (const { name, text } of knownTexts(values)) {
      if (this.#values.has(text)) continue;
      this.#values.set(text, { name, value: text });
      this.#matcher = undefined;
    }
  }

  /** Adds the values of an owner, now and whenever something is cleaned: a tool may set one and return it. */
  follow(owner: object, read: () => Iterable<NamedValue>): void {
    const known = [...read()];
    this.#followed.set(owner, { read, known });
    this.add(known);
  }

  /**
   * Hides an API key too, because a tool may come across it; it is not listed. A key that could be an ordinary word is
   * not hidden.
   */
  hideKey(key: ApiKey): void {
    const value = key.reveal();
    if (!key.isRecognizable || this.#keys.has(value)) return;
    this.#keys.set(value, { name: 'SVC_API_KEY', value });
    this.#matcher = undefined;
  }

  /** Replaces every known value in a text with its placeholder, in any known encoding. */
  cleanText(text: string): string {
    return this.#current().replace(text);
  }

  /** Replaces every known value in JSON data, in strings, keys and numbers at any depth. */
  clean(json: unknown): unknown {
    return this.#current().scrub(json);
  }

  /** Replaces every known value in the fields of a log line or the arguments of a call; their names stay. */
  cleanFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, this.clean(value)]));
  }

  /** Replaces every known value in the text of a file in base64; one that is not UTF-8 text stays unchanged. */
  cleanFile(base64: string): string {
    const bytes = Buffer.from(base64, 'base64');
    if (!isUtf8(bytes)) return base64;
    const text = bytes.toString();
    const cleaned = this.cleanText(text);
    return cleaned === text ? base64 : Buffer.from(cleaned).toString('base64');
  }

  /** Cleans a file in base64 like {@link cleanFile}, and longer values in the base64 itself, such as a key. */
  cleanBytes(base64: string): string {
    const file = this.cleanFile(base64);
    const containsValue = this.#current()
      .find(file)
      .some(({ start, end }) => end - start >= UNMISTAKABLE_LENGTH);
    return containsValue ? this.cleanText(file) : file;
  }

  /**
   * Returns a JSON copy without any known value, for observers. Bytes become base64, a value that cannot be serialized
   * becomes a note.
   */
  copy(value: unknown): unknown {
    try {
      const text = JSON.stringify(value, bytesAsBase64);
      return text === undefined ? undefined : this.clean(JSON.parse(text));
    } catch {
      return '[not serializable]';
    }
  }

  /** Returns the values as texts, for a bridge that cleans its events. */
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

/** Whether no value can have been added; an object may have been changed in place. */
function isSame(now: readonly NamedValue[], known: readonly NamedValue[]): boolean {
  return now.every(({ value }, i) => typeof value !== 'object' && value === known[i]?.value);
}

/**
 * Replaces bytes with base64 by their holder: toJSON of a buffer has already turned it into a list of numbers, in which
 * no private value is found.
 */
function bytesAsBase64(this: Readonly<Record<string, unknown>>, key: string, item: unknown): unknown {
  const held = this[key];
  if (held instanceof ArrayBuffer) return Buffer.from(held).toString('base64');
  if (!ArrayBuffer.isView(held)) return item;
  return Buffer.from(held.buffer, held.byteOffset, held.byteLength).toString('base64');
}
