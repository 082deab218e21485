import { createHash } from 'node:crypto';
import type { ValueMatcher } from '@svc/redaction';

/** Ids made here are kept, because a client continues with the one it received. */
const hidden = /^thread_[0-9a-f]{64}$/;

/**
 * A thread id without private values. Placeholders would merge the threads of several people, so an id that contains a
 * value is replaced by a digest, which is stable within its project.
 */
export function hideThreadId(
  threadId: string,
  { matcher, project }: { matcher: ValueMatcher | undefined; project: string },
): string {
  if (matcher === undefined || hidden.test(threadId) || matcher.scrub(threadId) === threadId) return threadId;
  return `thread_${createHash('sha256').update(`${project}\n${threadId}`).digest('hex')}`;
}
