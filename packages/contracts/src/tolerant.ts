import * as z from 'zod';

// Takes any value as it is; its type is `never`, so that it widens nothing.
const oddValue = z.custom<never>();

/**
 * A schema that never refuses: a value of the right shape is parsed, any other is kept as it is. Reading an event must
 * not fail because one producer wrote one field oddly, so the inferred type says what a well-formed producer writes.
 */
export function tolerant<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, oddValue]);
}

/** An optional text. */
export const text = tolerant(z.string().nullable()).optional();

/** An optional number. */
export const decimal = tolerant(z.number().nullable()).optional();

/** An optional whole number. */
export const integer = tolerant(z.int().nullable()).optional();

/** An optional object of any content. */
export const object = tolerant(z.record(z.string(), z.unknown()).nullable()).optional();

/** An optional object of any content that reads `null` as an empty one. */
export const objectOrEmpty = z
  .preprocess((value) => (value === null ? {} : value), tolerant(z.record(z.string(), z.unknown())))
  .optional();

/** An optional list of texts that reads `null` as an empty one. */
export const textsOrEmpty = z
  .preprocess((value) => (value === null ? [] : value), tolerant(z.array(z.string())))
  .optional();

/** Any value at all, or none. */
export const anything = z.unknown().optional();
