import { isJsonObject } from '../planning/json-object.js';

/** The fields of an object that say something: absent and null mean the same. What is no object stays as it is. */
export function withoutNulls(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** The same for each object of a list. */
export function eachWithoutNulls(list: unknown): unknown {
  return Array.isArray(list) ? list.map(withoutNulls) : list;
}

/** The same for all that stands in objects and lists. */
export function withoutNullsWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullsWithin);
  const given = withoutNulls(value);
  if (!isJsonObject(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, field]) => [name, withoutNullsWithin(field)] as const),
  );
}
