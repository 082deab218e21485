import { EventLogUnavailableError } from '../errors.js';
import { lastSeqOf, type LogPage } from '../log/log-page.js';

/**
 * Returns a page of a log after checking it, because the log may be a custom one: readers cannot use an invalid page, and
 * a page that does not advance would make them read forever.
 *
 * @throws EventLogUnavailableError unless the page is empty or leads beyond `afterSeq`.
 */
export function checkedPage(page: LogPage, afterSeq: number): LogPage {
  if (isPage(page) && (page.ends.length === 0 || lastSeqOf(page) > afterSeq)) return page;
  throw new EventLogUnavailableError('read', new TypeError('readAfter must return a page of later entries'));
}

/** Checks in constant time, whatever the page's length, because every page passes through here. */
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
