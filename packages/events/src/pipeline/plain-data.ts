import type { JsonRecord } from '../payloads/read-field.js';
import { isRecord } from '../payloads/read-field.js';
import { setOwn } from '../payloads/set-own.js';

/** Data deeper than this is looked at the slow way, which also finds data that contains itself. */
const DEEPEST_QUICK_LOOK = 64;

/** Data deeper than this is refused: whoever reads it, here or in a browser, might run out of stack. */
const DEEPEST_LEVEL = 1000;

/** What a look over a payload found. */
export interface PlainLook {
  /** Whether JSON says all of it by itself: no dates, sets, big integers, class instances or loops. */
  isPlain: boolean;
  /** Whether a key was seen that could pollute a prototype where somebody merges objects. Data that is not plain was not looked through. */
  hasReservedKey: boolean;
}

/** The descriptors that hold large values, and the values that stand flat as well. */
const largeDescriptors: ReadonlySet<string> = new Set(['tool', 'assignment', 'output']);
const largeFields: ReadonlySet<string> = new Set(['args', 'result']);

/**
 * Looks once over a payload: whether it has to be converted, and whether a reserved key stands in it. What stands both
 * flat and in a descriptor is looked at once.
 */
export function lookOver(payload: JsonRecord): PlainLook {
  const look = { isPlain: true, hasReservedKey: false };
  lookAt(payload, look, 0);
  for (const name of largeDescriptors) {
    const descriptor = payload[name];
    if (typeof descriptor === 'object' && descriptor !== null) lookAtDescriptor(descriptor, look, payload);
    else lookInside(descriptor, look, 0);
  }
  return look;
}

/** Whether a key is one that a careless merge would take for a prototype or a class. */
export function isReservedKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === '__class__';
}

function lookAt(value: object, look: PlainLook, depth: number): void {
  // Looking on after the answer is known would take forever where loops cross.
  if (!look.isPlain) return;
  if (depth > DEEPEST_QUICK_LOOK) look.isPlain = false;
  else if (Array.isArray(value)) lookAtItems(value, look, depth);
  else if (isPlainRecord(value)) lookAtFields(value, look, depth);
  else look.isPlain = false;
}

function lookAtItems(list: readonly unknown[], look: PlainLook, depth: number): void {
  if ('toJSON' in list) look.isPlain = false;
  for (let i = 0; i < list.length; i += 1) lookInside(list[i], look, depth);
}

function lookAtFields(fields: JsonRecord, look: PlainLook, depth: number): void {
  // A list of keys is faster than `for in`, which is slow for objects of many shapes.
  const keys = Object.keys(fields);
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? '';
    const item = fields[key];
    lookAtKey(key, item, look);
    if (depth > 0 || !largeDescriptors.has(key)) lookInside(item, look, depth);
  }
}

/** The large values that stand flat as well are the same objects, and were looked at there. */
function lookAtDescriptor(descriptor: object, look: PlainLook, flat: JsonRecord): void {
  if (!isPlainRecord(descriptor)) {
    lookAt(descriptor, look, 1);
    return;
  }
  for (const key of Object.keys(descriptor)) {
    const item = descriptor[key];
    lookAtKey(key, item, look);
    if (!largeFields.has(key) || flat[key] !== item) lookInside(item, look, 1);
  }
}

function lookAtKey(key: string, item: unknown, look: PlainLook): void {
  // Most keys are told from the reserved ones by their length.
  const { length } = key;
  if ((length === 9 || length === 11) && isReservedKey(key)) look.hasReservedKey = true;
  else if (typeof item === 'function' && key === 'toJSON') look.isPlain = false;
}

function lookInside(item: unknown, look: PlainLook, depth: number): void {
  if (typeof item === 'object') {
    if (item !== null) lookAt(item, look, depth + 1);
  } else if (typeof item === 'bigint') look.isPlain = false;
}

function isPlainRecord(value: object): value is JsonRecord {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * A copy of a payload that JSON can carry: dates become ISO text, big integers decimal text, sets sorted lists, bytes
 * UTF-8 text, maps objects, errors name and message; an object with `toJSON` becomes what that gives. Functions and
 * symbols are left out.
 *
 * @throws TypeError when the payload contains itself, RangeError when it is too deep; whatever a conversion throws.
 */
export function toPlainData(payload: JsonRecord): JsonRecord {
  const plain = toPlain(payload, []);
  if (isRecord(plain)) return plain;
  throw new TypeError(
    `the payload's toJSON must return an object, got ${plain === null ? 'null' : typeof plain}`,
  );
}

/** Undefined for what JSON leaves out. */
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
  // oxlint-disable-next-line unicorn/no-instanceof-builtins -- JSON writes these objects as what they hold
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
