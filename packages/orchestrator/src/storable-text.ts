import * as z from 'zod';

/** Whether a store gives an id or a name back as it is: SQLite ends one at a NUL, and half a character has no UTF-8. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Such a text, as somebody else gives it. */
export const StorableText = z.string().refine(isStorable);
