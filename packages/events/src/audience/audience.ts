import { oneOf } from '../check-option.js';

/** Who may read events: developers and operators (`internal`), or the user's own browser (`frontend_safe`). */
export type Audience = 'internal' | 'frontend_safe';

/**
 * Returns the audience of a reader: the requested one, but never more than its bridge allows.
 *
 * @throws RangeError for an unknown audience.
 */
export function readerAudience(ofBridge: Audience, requested: Audience | undefined): Audience {
  const wanted = requested == null ? ofBridge : oneOf('audience', requested, ['internal', 'frontend_safe']);
  return ofBridge === 'internal' ? wanted : 'frontend_safe';
}
