import { base64Letters } from './matching/encodings.js';
import { DEEPEST_LEVEL, unboxed } from './scrub-json.js';

/** A private value to find, and the name that may be shown in its place. */
export interface PrivateValue {
  /** The name of the value, as in `agent.privateData`. It is public. */
  readonly name: string;
  /**
   * The value. A string, number or bigint is found as its text. In an array, set, map or object every string, number and
   * bigint is found, up to 256 levels deep, but no keys. Bytes are found as UTF-8 text, or else as hexadecimal and
   * base64. `true`, `false`, `null` and blank strings are too common to be found and are skipped.
   */
  readonly value: unknown;
}

/** The text of a private value to look for. */
export interface KnownText {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns every text to look for, trimmed and without duplicates.
 *
 * @throws TypeError for a value without a string `name`, which would otherwise silently stay in clear.
 */
export function knownTexts(values: Iterable<PrivateValue>): KnownText[] {
  const texts = new Map<string, string>();
  let count = 0;
  for (const each of values) {
    count += 1;
    if (typeof each?.name !== 'string')
      throw new TypeError(`Private value ${count} must be { name, value } with a string as its name`);
    const { name, value } = each;
    for (const text of leaves(value, 0, new Map())) {
      const trimmed = text.trim();
      if (trimmed !== '' && !texts.has(trimmed)) texts.set(trimmed, name);
    }
  }
  return Array.from(texts, ([text, name]) => ({ name, text }));
}

/** `walked` contains the visited objects with their least depth, so that a cycle is walked once. */
function* leaves(boxed: unknown, depth: number, walked: Map<object, number>): Generator<string> {
  const value = unboxed(boxed);
  if (typeof value === 'string') yield value;
  else if (typeof value === 'bigint') yield String(value);
  else if (typeof value === 'number') {
    if (Number.isFinite(value)) yield String(value);
  } else if (typeof value === 'object' && value !== null && depth < (walked.get(value) ?? DEEPEST_LEVEL)) {
    walked.set(value, depth);
    const bytes = bytesOf(value);
    if (bytes !== undefined) yield* textsOfBytes(bytes);
    else for (const part of partsOf(value)) yield* leaves(part, depth + 1, walked);
  }
}

/** The values in an object; one with `toJSON`, such as a date, is read as what that returns. */
function partsOf(value: object): Iterable<unknown> {
  if (value instanceof Map || value instanceof Set) return value.values();
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return Object.values(value);
  const data: unknown = value.toJSON();
  return typeof data === 'object' && data !== null ? Object.values(data) : [data];
}

function bytesOf(value: object): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!(value instanceof DataView)) return undefined;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** Fewer bytes than this, in hexadecimal, would be found in unrelated texts. */
const FEWEST_BYTES = 8;

/** The texts that bytes are found as: JSON has no bytes, so each number of an array would count instead. */
function textsOfBytes(bytes: Uint8Array): string[] {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  try {
    return [decodeURIComponent(hex.map((digits) => `%${digits}`).join(''))];
  } catch {
    // The bytes are not UTF-8 text.
    if (bytes.length < FEWEST_BYTES) return [];
    const base64 = base64Letters(bytes);
    return [hex.join(''), base64, base64.replaceAll('+', '-').replaceAll('/', '_')];
  }
}
