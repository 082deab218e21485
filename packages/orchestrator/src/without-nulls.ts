import * as z from 'zod';

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object without its null fields, since absent and null mean the same. Anything but an object is returned as it is. */
export function withoutNulls<Value>(value: Value): Value {
  // Otherwise the same object is returned, including what it inherits.
  if (!isObject(value) || !Object.values(value).includes(null)) return value;
  const fields = { ...value };
  for (const [name, field] of Object.entries(fields))
    if (field === null) Reflect.deleteProperty(fields, name);
  return fields;
}

/** Does the same to each object of an array. */
export function eachWithoutNulls(list: unknown): unknown {
  return Array.isArray(list) ? list.map(withoutNulls) : list;
}

/** Does the same at every depth of objects and arrays. */
export function withoutNullsWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullsWithin);
  const fields = withoutNulls(value);
  if (!isObject(fields)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, withoutNullsWithin(field)] as const),
  );
}

/** A schema of options, or of values by name, that counts null as absent. */
export const nullsAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value: z.input<Schema>) => withoutNulls(value), schema);
