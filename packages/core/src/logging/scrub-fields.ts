import { isError } from '../is-error.js';
import { messageOf } from '../message-of.js';

const SECRET_NAME =
  /token(?!s|_usage|usage)|secret|passw(?:or)?d|passphrase|(?:api|access|private)[-_]?key|authorization|credential|private[-_]?data|cookie/i;
const MAX_DEPTH = 6;

/**
 * Returns the fields as JSON data, at any depth, without secrets (recognized by their names) and values that cannot be
 * printed.
 */
export function scrubFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, scrub(name, value, 0)]));
}

function scrub(name: string, value: unknown, depth: number): unknown {
  if (SECRET_NAME.test(name) && value !== undefined && value !== null) return '[REDACTED]';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[…]';
  if (isError(value)) return messageOf(value);
  // As a list of numbers, bytes could reveal a value that no search finds.
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  // A date has no fields, and an object may hide its values only in toJSON.
  if ('toJSON' in value && typeof value.toJSON === 'function') return scrub(name, value.toJSON(), depth + 1);
  if (Array.isArray(value)) return value.map((item) => scrub('', item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, scrub(key, item, depth + 1)]));
}
