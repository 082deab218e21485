import * as z from 'zod';

// Accepts any value unchanged; its type is `never`, so that it does not widen a union.
const oddValue = z.custom<never>();

/**
 * A schema that never refuses: a value of the right shape is parsed, any other is kept as it is. Reading an event must
 * not fail because one producer wrote one field oddly. The inferred type is what a well-formed producer writes.
 */
function tolerant<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, oddValue]);
}

/** An optional, nullable field of this shape. Like every field here it accepts any value. */
export function field<Schema extends z.ZodType>(schema: Schema) {
  return tolerant(schema.nullable()).optional();
}

/** An optional string. */
export const text = field(z.string());

/** An optional number. */
export const decimal = field(z.number());

/** An optional whole number. */
export const integer = field(z.int());

/** An optional object of any content. */
export const object = field(z.record(z.string(), z.unknown()));

/** An optional object of any content that reads `null` as an empty one. */
export const objectOrEmpty = z
  .preprocess((value) => (value === null ? {} : value), tolerant(z.record(z.string(), z.unknown())))
  .optional();

/** An optional array of strings that reads `null` as an empty one. */
export const textsOrEmpty = z
  .preprocess((value) => (value === null ? [] : value), tolerant(z.array(z.string())))
  .optional();

/** Any value at all, or none. */
export const anything = z.unknown().optional();
