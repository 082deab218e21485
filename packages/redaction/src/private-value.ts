import { base64Letters } from './matching/encodings.js';
import { DEEPEST_LEVEL, unboxed } from './scrub-json.js';

/** A value to be found, and the name that may be shown in its place. */
export interface PrivateValue {
  /** The data name, as in `agent.privateData`. It is public. */
  readonly name: string;
  /**
   * The value. A string, number or bigint is found as its text; of a list, set, map or object every string, number and
   * bigint in it, up to 256 levels deep, but no keys; bytes as their text in UTF-8, else in hexadecimal digits and
   * base64. `true`, `false`, `null` and blank strings say too little to be found and are passed over.
   */
  readonly value: unknown;
}

/** A private value's text, to be looked for. */
export interface KnownText {
  readonly name: string;
  readonly text: string;
}

/**
 * Every text to be looked for, without surrounding white space, each once.
 *
 * @throws TypeError for what is no named value: what it holds would stand in clear without a word.
 */
export function knownTexts(values: Iterable<PrivateValue>): KnownText[] {
  const texts = new Map<string, string>();
  let count = 0;
  for (const each of values) {
    count += 1;
    if (typeof each?.name !== 'string')
      throw new TypeError(`Private value ${count} has no text as its name: give { name, value } for each`);
    const { name, value } = each;
    for (const text of leaves(value, 0, new Map())) {
      const trimmed = text.trim();
      if (trimmed !== '' && !texts.has(trimmed)) texts.set(trimmed, name);
    }
  }
  return Array.from(texts, ([text, name]) => ({ name, text }));
}

/** `walked` has the objects that were looked at, with their least depth: one that refers to itself is looked at once. */
function* leaves(given: unknown, depth: number, walked: Map<object, number>): Generator<string> {
  const value = unboxed(given);
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

/** What an object holds; one that says itself what JSON makes of it, as a date does, is looked at as that. */
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

/** Fewer bytes than this, in hexadecimal digits, would be found in texts that have nothing to do with them. */
const FEWEST_BYTES = 8;

/** The texts that stand for bytes: JSON has none of its own, so that each number of a list would count. */
function textsOfBytes(bytes: Uint8Array): string[] {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  try {
    return [decodeURIComponent(hex.map((digits) => `%${digits}`).join(''))];
  } catch {
    // It is no text in UTF-8.
    if (bytes.length < FEWEST_BYTES) return [];
    const base64 = base64Letters(bytes);
    return [hex.join(''), base64, base64.replaceAll('+', '-').replaceAll('/', '_')];
  }
}
