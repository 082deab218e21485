/** Why a request got no answer, without its address: `fetch` itself only says that it failed. */
export function whyUnanswered(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  if (cause && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause?.message || 'fetch failed';
}
