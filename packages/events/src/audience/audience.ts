/** Who may read: developers and operators (`internal`), or the user's own browser (`frontend_safe`). */
export type Audience = 'internal' | 'frontend_safe';

/** The audience of a reader: what it asks for, but never more than its bridge gives. */
export function readerAudience(ofBridge: Audience, asked: Audience | undefined): Audience {
  return ofBridge === 'internal' ? (asked ?? 'internal') : 'frontend_safe';
}
