import { projectEntry } from '../audience/project-entry.js';
import { parseEventId } from '../log/event-id.js';
import { createLogPage } from '../log/log-page.js';
import type { LogPage, PageEntry } from '../log/log-page.js';
import { asBuffer, firstPositionOf, lastIdOf } from './frame-bytes.js';

/** Projects a page for `frontend_safe` readers. */
export function projectPage(page: LogPage): LogPage {
  return createLogPage(Array.from(projectedEntries(page)), page.firstSeq);
}

/**
 * Projects a page of a session whose bridge is `frontend_safe`, unless the writer of `ownEpoch` wrote it: in a shared log,
 * another bridge may have written for another audience.
 */
export function safePage(page: LogPage, ownEpoch: string | undefined): LogPage {
  return isWrittenBy(page, ownEpoch) ? page : projectPage(page);
}

/** Whether one writer wrote a whole page. Writers follow each other, so its first and last frame suffice. */
export function isWrittenBy({ bytes, safeFrames }: LogPage, epoch: string | undefined): boolean {
  if (safeFrames !== undefined) return false;
  if (bytes.length === 0) return true;
  if (epoch === undefined || firstPositionOf(bytes)?.epoch !== epoch) return false;
  return parseEventId(lastIdOf(bytes) ?? '')?.epoch === epoch;
}

/** Yields the entries of a page as `frontend_safe` readers see them. */
export function* projectedEntries(page: LogPage): Generator<PageEntry> {
  const bytes = asBuffer(page.bytes);
  let start = 0;
  let nextMark = 0;
  for (const [i, end] of page.ends.entries()) {
    const seq = page.firstSeq + i;
    const mark = page.marks[nextMark];
    const isMarked = mark?.seq === seq;
    if (isMarked) nextMark += 1;
    const frames = page.safeFrames?.get(seq) ?? projectEntry(bytes.toString('utf8', start, end));
    yield { seq, kind: isMarked ? mark.kind : 'event', frames };
    start = end;
  }
}
