import type { JsonObject, JsonValue } from '@svc/contracts';

/** Whether a JSON value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is an array. (`Array.isArray` does not narrow readonly arrays.) */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** An object's own property; inherited ones, such as `constructor`, are undefined. */
export const fieldOf = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The value if it is a string. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
