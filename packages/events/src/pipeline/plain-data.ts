import type { JsonRecord } from '../payloads/read-field.js';
import { isRecord } from '../payloads/read-field.js';
import { setOwn } from '../payloads/set-own.js';

/** Data deeper than this is checked the slow way, which also detects circular data. */
const DEEPEST_QUICK_CHECK = 64;

/** Data deeper than this is refused: reading it, here or in a browser, might overflow the stack. */
const DEEPEST_LEVEL = 1000;

/** The result of checking a payload. */
export interface Inspection {
  /** Whether it is plain JSON data: no dates, sets, big integers, class instances or circular references. */
  isPlain: boolean;
  /** Whether a key was found that could pollute a prototype in a merge. Data that is not plain is not searched fully. */
  hasReservedKey: boolean;
}

/** The descriptors with large values, and the fields that are also flat. */
const largeDescriptors: ReadonlySet<string> = new Set(['tool', 'assignment', 'output']);
const largeFields: ReadonlySet<string> = new Set(['args', 'result']);

/**
 * Checks in one pass whether a payload has to be converted and whether it contains a reserved key. Values shared by a flat
 * field and a descriptor are checked once.
 */
export function inspectPayload(payload: JsonRecord): Inspection {
  const found = { isPlain: true, hasReservedKey: false };
  inspectObject(payload, found, 0);
  for (const name of largeDescriptors) {
    const descriptor = payload[name];
    if (typeof descriptor === 'object' && descriptor !== null) inspectDescriptor(descriptor, found, payload);
    else inspectValue(descriptor, found, 0);
  }
  return found;
}

/** Whether a careless merge would take a key for a prototype or a class. */
export function isReservedKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === '__class__';
}

function inspectObject(value: object, found: Inspection, depth: number): void {
  // Continuing once the answer is known would take forever in data with crossing cycles.
  if (!found.isPlain) return;
  if (depth > DEEPEST_QUICK_CHECK) found.isPlain = false;
  else if (Array.isArray(value)) inspectItems(value, found, depth);
  else if (isPlainRecord(value)) inspectFields(value, found, depth);
  else found.isPlain = false;
}

function inspectItems(list: readonly unknown[], found: Inspection, depth: number): void {
  if ('toJSON' in list) found.isPlain = false;
  for (let i = 0; i < list.length; i += 1) inspectValue(list[i], found, depth);
}

function inspectFields(fields: JsonRecord, found: Inspection, depth: number): void {
  // `Object.keys` is faster than `for in`, which is slow for objects of many shapes.
  const keys = Object.keys(fields);
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? '';
    const item = fields[key];
    inspectKey(key, item, found);
    if (depth > 0 || !largeDescriptors.has(key)) inspectValue(item, found, depth);
  }
}

/** Skips large values that are the same objects as the flat fields, which were checked before. */
function inspectDescriptor(descriptor: object, found: Inspection, flat: JsonRecord): void {
  if (!isPlainRecord(descriptor)) {
    inspectObject(descriptor, found, 1);
    return;
  }
  for (const key of Object.keys(descriptor)) {
    const item = descriptor[key];
    inspectKey(key, item, found);
    if (!largeFields.has(key) || flat[key] !== item) inspectValue(item, found, 1);
  }
}

function inspectKey(key: string, item: unknown, found: Inspection): void {
  // Most keys differ from the reserved ones in length.
  const { length } = key;
  if ((length === 9 || length === 11) && isReservedKey(key)) found.hasReservedKey = true;
  else if (typeof item === 'function' && key === 'toJSON') found.isPlain = false;
}

function inspectValue(item: unknown, found: Inspection, depth: number): void {
  if (typeof item === 'object') {
    if (item !== null) inspectObject(item, found, depth + 1);
  } else if (typeof item === 'bigint') found.isPlain = false;
}

function isPlainRecord(value: object): value is JsonRecord {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Returns a copy of a payload as JSON data: dates become ISO strings, big integers decimal strings, sets sorted arrays,
 * bytes UTF-8 strings, maps objects, errors their name and message; an object with `toJSON` becomes its result. Functions
 * and symbols are left out.
 *
 * @throws TypeError if the payload is circular, RangeError if it is too deep, and whatever a conversion throws.
 */
export function toPlainData(payload: JsonRecord): JsonRecord {
  const plain = toPlain(payload, []);
  if (isRecord(plain)) return plain;
  throw new TypeError(
    `the payload's toJSON must return an object, got ${plain === null ? 'null' : typeof plain}`,
  );
}

/** Converts a value; undefined for those that JSON leaves out. */
function toPlain(value: unknown, ancestors: object[]): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (ancestors.includes(value)) throw new TypeError('the payload contains itself');
  if (ancestors.length > DEEPEST_LEVEL)
    throw new RangeError(`the payload is nested deeper than ${DEEPEST_LEVEL} levels`);
  ancestors.push(value);
  const plain = objectToPlain(value, ancestors);
  ancestors.pop();
  return plain;
}

function objectToPlain(value: object, ancestors: object[]): unknown {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return toPlain(value.toJSON(), ancestors);
  // oxlint-disable-next-line unicorn/no-instanceof-builtins -- JSON writes these objects as the primitives they wrap
  if (value instanceof String || value instanceof Number || value instanceof Boolean) return value.valueOf();
  if (Array.isArray(value)) return value.map((item) => toPlain(item, ancestors) ?? null);
  if (value instanceof Set) {
    return Array.from(value, (item) => toPlain(item, ancestors) ?? null).sort(byText);
  }
  if (value instanceof Map) return toRecord(value.entries(), ancestors);
  if (value instanceof Error) return { name: value.name, message: value.message };
  return toRecord(Object.entries(value), ancestors);
}

function toRecord(entries: Iterable<[unknown, unknown]>, ancestors: object[]): JsonRecord {
  const record: JsonRecord = {};
  for (const [key, item] of entries) {
    const plain = toPlain(item, ancestors);
    if (plain !== undefined) setOwn(record, String(key), plain);
  }
  return record;
}

function byText(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const left = typeof a === 'string' ? a : JSON.stringify(a);
  const right = typeof b === 'string' ? b : JSON.stringify(b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
