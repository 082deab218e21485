import { createHash } from 'node:crypto';
import type { ValueMatcher } from '@svc/redaction';

/** Ids made here are left alone: a client goes on under the one it was answered. */
const hidden = /^thread_[0-9a-f]{64}$/;

/**
 * A thread id without private values. With a placeholder the threads of several people would be one, so an id that
 * holds a value is kept as a digest: each time the same, for its project.
 */
export function hideThreadId(
  threadId: string,
  { matcher, project }: { matcher: ValueMatcher | undefined; project: string },
): string {
  if (matcher === undefined || hidden.test(threadId) || matcher.scrub(threadId) === threadId) return threadId;
  return `thread_${createHash('sha256').update(`${project}\n${threadId}`).digest('hex')}`;
}
