import { isRecord } from '../payloads/read-field.js';

/**
 * A 53-bit hash of a string, as a short string. Equal strings have equal fingerprints; different ones differ except by
 * chance. Keeps possibly private text out of the state and the log.
 */
export function fingerprintOf(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}

/** The fingerprint of arguments, independent of key order; undefined if there are none. */
export function fingerprintOfArguments(args: unknown): string | undefined {
  if (!isRecord(args)) return undefined;
  return Object.keys(args).length === 0 ? undefined : fingerprintOf(sortedText(args));
}

function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${sortedText(value[key])}`).join(',')}}`;
}
