import * as z from 'zod';

// eslint-disable-next-line no-control-regex -- it looks for NUL
const storable = /^[^\0\p{Surrogate}]*$/u;

/**
 * Whether a store returns an id or a name unchanged: SQLite ends one at a NUL, and an unpaired surrogate has no UTF-8.
 */
export const isStorable = (text: string): boolean => storable.test(text);

/** The schema of such a string. */
export const StorableText = z
  .string()
  .regex(storable, { error: 'Invalid string: must contain no NUL and no unpaired surrogate' });
