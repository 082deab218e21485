import type { JsonRecord } from './read-field.js';

/** Sets a field of any name: plain assignment to `__proto__` would replace the prototype. */
export function setOwn(record: JsonRecord, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value;
  else Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}
