/** Explains why a request got no answer, without its URL: `fetch` itself only says that it failed. */
export function explainNoAnswer(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  if (cause && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause?.message || 'fetch failed';
}
