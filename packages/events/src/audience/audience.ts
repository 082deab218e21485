/** Who may read: developers and operators (`internal`), or the user's own browser (`frontend_safe`). */
export type Audience = 'internal' | 'frontend_safe';

/**
 * The audience of a reader: what it asks for, but never more than its bridge gives.
 *
 * @throws RangeError when it asks for one that does not exist.
 */
export function readerAudience(ofBridge: Audience, asked: Audience | undefined): Audience {
  if (asked != null && asked !== 'internal' && asked !== 'frontend_safe') {
    throw new RangeError(`audience must be internal or frontend_safe, got ${JSON.stringify(asked)}`);
  }
  return ofBridge === 'internal' ? (asked ?? 'internal') : 'frontend_safe';
}
