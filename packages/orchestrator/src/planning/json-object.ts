import type { JsonObject, JsonValue } from '@svc/contracts';

/** Whether a value that came from JSON is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value that came from JSON is a list. (`Array.isArray` does not narrow readonly lists.) */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A JSON value read as a text, or nothing. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
