/** Counts log messages by kind, because the wording differs from the original. */
export function kindsOf(messages: readonly string[]): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const message of messages) {
    const kind =
      /failed schema validation|closed bridge|Dropping event '|queue full|queue limit/i.exec(message)?.[0] ??
      'other';
    const name = kind === "Dropping event '" ? 'closed bridge' : kind === 'queue limit' ? 'queue full' : kind;
    kinds[name] = (kinds[name] ?? 0) + 1;
  }
  return kinds;
}
