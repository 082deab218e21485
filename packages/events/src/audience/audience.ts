import { oneOf } from '../check-option.js';

/** Who may read: developers and operators (`internal`), or the user's own browser (`frontend_safe`). */
export type Audience = 'internal' | 'frontend_safe';

/**
 * The audience of a reader: what it asks for, but never more than its bridge gives.
 *
 * @throws RangeError when it asks for one that does not exist.
 */
export function readerAudience(ofBridge: Audience, asked: Audience | undefined): Audience {
  const wanted = asked == null ? ofBridge : oneOf('audience', asked, ['internal', 'frontend_safe']);
  return ofBridge === 'internal' ? wanted : 'frontend_safe';
}
