import type { EntryKind } from './entry-kind.js';

/** An entry that changes the turn or the session. */
export interface PageMark {
  readonly seq: number;
  readonly kind: Exclude<EntryKind, 'event'>;
}

/** Consecutive entries of a session, as the bytes to send. Readers share pages, so they must not be changed. */
export interface LogPage {
  /** The sequence number of the first entry, or of the next one if the page is empty. */
  readonly firstSeq: number;
  /** The frames of all entries, one after the other. */
  readonly bytes: Uint8Array;
  /** The end of each entry in `bytes`; its length is the number of entries. */
  readonly ends: readonly number[];
  /** The entries whose kind is not `event`, in order. */
  readonly marks: readonly PageMark[];
  /** The frames for `frontend_safe` readers, by entry, where the writer provided them. */
  readonly safeFrames?: ReadonlyMap<number, string>;
}

/** One entry of a page, for logs that store entries individually. */
export interface PageEntry {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly frames: string;
  readonly safeFrames?: string | undefined;
}

/** The sequence number of a page's last entry; one less than `firstSeq` if it has none. */
export function lastSeqOf(page: LogPage): number {
  return page.firstSeq + page.ends.length - 1;
}

/** Creates a page from consecutive entries. An empty page comes before `firstSeq`. */
export function createLogPage(entries: readonly PageEntry[], firstSeq = 1): LogPage {
  const ends: number[] = [];
  const marks: PageMark[] = [];
  const safeFrames = new Map<number, string>();
  let length = 0;
  for (const { seq, kind, frames, safeFrames: safe } of entries) {
    length += Buffer.byteLength(frames);
    ends.push(length);
    if (kind !== 'event') marks.push({ seq, kind });
    if (safe !== undefined) safeFrames.set(seq, safe);
  }
  return {
    firstSeq: entries[0]?.seq ?? firstSeq,
    bytes: Buffer.from(entries.map(({ frames }) => frames).join('')),
    ends,
    marks,
    ...(safeFrames.size > 0 && { safeFrames }),
  };
}

/** The part of a page with the entries from one sequence number to another, over the same bytes. */
export function slicePage(page: LogPage, fromSeq: number, toSeq = lastSeqOf(page)): LogPage {
  const lastSeq = lastSeqOf(page);
  const first = Math.max(fromSeq, page.firstSeq);
  const last = Math.min(toSeq, lastSeq);
  if (first === page.firstSeq && last === lastSeq) return page;
  const skipped = first - page.firstSeq;
  const start = skipped === 0 ? 0 : (page.ends[skipped - 1] ?? 0);
  const kept = page.ends.slice(skipped, Math.max(skipped, last - page.firstSeq + 1));
  const end = kept.at(-1) ?? start;
  return {
    firstSeq: first,
    bytes: page.bytes.subarray(start, end),
    ends: start === 0 ? kept : kept.map((offset) => offset - start),
    marks: page.marks.filter(({ seq }) => seq >= first && seq <= last),
    ...(page.safeFrames && { safeFrames: page.safeFrames }),
  };
}
