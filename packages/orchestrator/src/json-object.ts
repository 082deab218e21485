import type { JsonObject, JsonValue } from '@svc/contracts';

/** Whether a value that came from JSON is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value that came from JSON is a list. (`Array.isArray` does not narrow readonly lists.) */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** What an object says under a name. What every object inherits, such as `constructor`, it does not say. */
export const fieldOf = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** A JSON value read as a text, or nothing. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
