import { EventLogUnavailableError } from '../errors.js';
import { lastSeqOf, type LogPage } from '../log/log-page.js';

/**
 * A page of a log, which may be a program's own: with what is no page readers cannot go on, and one that leads no
 * further they would ask for again without end.
 *
 * @throws EventLogUnavailableError unless the page is empty or leads beyond `afterSeq`.
 */
export function checkedPage(page: LogPage, afterSeq: number): LogPage {
  if (isPage(page) && (page.ends.length === 0 || lastSeqOf(page) > afterSeq)) return page;
  throw new EventLogUnavailableError('read', new TypeError('readAfter must return a page of later entries'));
}

/** Takes as long for a page of ten thousand entries as for one of ten, because every page comes by here. */
function isPage(page: LogPage | null | undefined): boolean {
  return (
    Number.isSafeInteger(page?.firstSeq) &&
    ArrayBuffer.isView(page?.bytes) &&
    Array.isArray(page?.ends) &&
    (page.ends.length === 0 || Number.isSafeInteger(page.ends.at(-1))) &&
    Array.isArray(page.marks) &&
    page.marks.every((mark: LogPage['marks'][number] | null | undefined) => Number.isSafeInteger(mark?.seq))
  );
}
