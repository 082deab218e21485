import { StorableText } from '../../storable-text.js';

/**
 * A caller's id for a record, 1 to 128 characters. It becomes part of a URL, where clients remove the segments `.` and
 * `..`, so such a record could not be requested.
 */
export const RecordId = StorableText.min(1)
  .max(128)
  .refine((id) => id !== '.' && id !== '..', { error: 'Invalid string: must not be "." or ".."' });
