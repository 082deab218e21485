import * as z from 'zod';

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object that say something: absent and null mean the same. What is no object stays as it is. */
export function withoutNulls<Value>(value: Value): Value {
  // Whatever else a caller brings stays the very object, with what it inherits.
  if (!isObject(value) || !Object.values(value).includes(null)) return value;
  const given = { ...value };
  for (const [name, field] of Object.entries(given)) if (field === null) Reflect.deleteProperty(given, name);
  return given;
}

/** The same for each object of a list. */
export function eachWithoutNulls(list: unknown): unknown {
  return Array.isArray(list) ? list.map(withoutNulls) : list;
}

/** The same for all that stands in objects and lists. */
export function withoutNullsWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullsWithin);
  const given = withoutNulls(value);
  if (!isObject(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, field]) => [name, withoutNullsWithin(field)] as const),
  );
}

/** A schema of options, or of values by name, among which those that are null count as absent. */
export const nullsAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((given: z.input<Schema>) => withoutNulls(given), schema);
