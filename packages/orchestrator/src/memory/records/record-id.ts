import { StorableText } from '../../storable-text.js';

/**
 * The id of a record as somebody else gives it, 1 to 128 characters. It stands in an address, of which clients take
 * the segments `.` and `..` away, so that such a record could not be asked for.
 */
export const RecordId = StorableText.min(1)
  .max(128)
  .refine((id) => id !== '.' && id !== '..', { error: 'Invalid string: must not be "." or ".."' });
