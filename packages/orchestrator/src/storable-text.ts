import * as z from 'zod';

// eslint-disable-next-line no-control-regex -- what it looks for
const storable = /^[^\0\p{Surrogate}]*$/u;

/** Whether a store gives an id or a name back as it is: SQLite ends one at a NUL, and half a character has no UTF-8. */
export const isStorable = (text: string): boolean => storable.test(text);

/** Such a text, as somebody else gives it. */
export const StorableText = z
  .string()
  .regex(storable, { error: 'Invalid string: must contain no NUL and no unpaired surrogate' });
