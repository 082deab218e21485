import type { LogPage, PageMark } from '@svc/events';
import { seqOfId, type StreamEntry } from '../stream-entry.js';
import { decodeKind } from './entry-codec.js';

const PAGE_NEWS = Buffer.from('page ');
const LINE_FEED = 0x0a;
const EMPTY = Buffer.alloc(0);
const [KIND, FRAMES, SAFE_FRAMES] = ['k', 'f', 's'].map((name) => name.charCodeAt(0));

/** Builds a page from entries. */
class PageBuilder {
  readonly #ends: number[] = [];
  readonly #marks: PageMark[] = [];
  readonly #safeFrames = new Map<number, string>();
  #length = 0;

  add(seq: number, { letter, length }: { letter: string; length: number }): void {
    this.#length += length;
    this.#ends.push(this.#length);
    const kind = decodeKind(letter);
    if (kind !== undefined && kind !== 'event') this.#marks.push({ seq, kind });
  }

  addSafe(seq: number, frames: string): void {
    this.#safeFrames.set(seq, frames);
  }

  build(firstSeq: number, bytes: Uint8Array): LogPage {
    const page = { firstSeq, bytes, ends: this.#ends, marks: this.#marks };
    return this.#safeFrames.size > 0 ? { ...page, safeFrames: this.#safeFrames } : page;
  }
}

/**
 * Creates a page from entries read from a stream. An empty page comes before `nextSeq`. The page ends where entries are
 * missing because they were deleted by hand, so that readers see the gap.
 */
export function pageOfEntries(entries: readonly StreamEntry[], nextSeq: number): LogPage {
  const page = new PageBuilder();
  const parts: Buffer[] = [];
  const firstSeq = entries[0] ? seqOfId(entries[0][0]) : nextSeq;
  for (const [id, fields] of entries) {
    const seq = seqOfId(id);
    if (seq !== firstSeq + parts.length) break;
    let letter = 'e';
    let frames: Buffer = EMPTY;
    for (let i = 0; i + 1 < fields.length; i += 2) {
      const [name, value] = [fields[i]?.[0], fields[i + 1] ?? EMPTY];
      if (name === FRAMES) frames = value;
      else if (name === KIND) letter = value.toString('latin1');
      else if (name === SAFE_FRAMES) page.addSafe(seq, value.toString());
    }
    parts.push(frames);
    page.add(seq, { letter, length: frames.length });
  }
  return page.build(firstSeq, Buffer.concat(parts));
}

/** A message to the followers of a session. */
export type News =
  /** New entries. */
  | { readonly kind: 'page'; readonly page: LogPage }
  /** Something to read: entries too large to publish, or a new writer. */
  | { readonly kind: 'read' }
  /** The session was removed. */
  | { readonly kind: 'gone' };

/**
 * Decodes what the scripts publish: `page <first number> <kind letter><bytes>[:<safe bytes>],...`, a line feed, the
 * frames, the safe frames; or a single word. A message of a newer version is taken as a hint to read.
 */
export function decodeNews(message: Buffer): News {
  if (!message.subarray(0, PAGE_NEWS.length).equals(PAGE_NEWS)) {
    return { kind: message.toString('latin1') === 'gone' ? 'gone' : 'read' };
  }
  const headEnd = message.indexOf(LINE_FEED);
  const [first = '', list = ''] = message.toString('latin1', PAGE_NEWS.length, headEnd).split(' ');
  const firstSeq = Number(first);
  const sizes = Array.from(list.split(','), readSizes);
  const framesEnd = sizes.reduce((end, { length }) => end + length, headEnd + 1);
  const page = new PageBuilder();
  let safeAt = framesEnd;
  for (const [index, { safeLength, ...size }] of sizes.entries()) {
    page.add(firstSeq + index, size);
    if (safeLength === undefined) continue;
    page.addSafe(firstSeq + index, message.toString('utf8', safeAt, safeAt + safeLength));
    safeAt += safeLength;
  }
  // A copy: the message is a slice of the connection's larger buffer, which a page must not keep alive.
  return { kind: 'page', page: page.build(firstSeq, Buffer.from(message.subarray(headEnd + 1, framesEnd))) };
}

function readSizes(entry: string): { letter: string; length: number; safeLength: number | undefined } {
  const colon = entry.indexOf(':');
  return {
    letter: entry.charAt(0),
    length: Number(colon < 0 ? entry.slice(1) : entry.slice(1, colon)),
    safeLength: colon < 0 ? undefined : Number(entry.slice(colon + 1)),
  };
}

/** Joins consecutive pages into one. */
export function joinPages(pages: readonly LogPage[]): LogPage {
  const [first] = pages;
  if (first === undefined) throw new RangeError('there is no page to join');
  if (pages.length === 1) return first;
  const ends: number[] = [];
  let offset = 0;
  for (const page of pages) {
    for (const end of page.ends) ends.push(offset + end);
    offset += page.bytes.length;
  }
  const safeFrames = new Map(pages.flatMap((page) => [...(page.safeFrames ?? [])]));
  return {
    firstSeq: first.firstSeq,
    bytes: Buffer.concat(pages.map(({ bytes }) => bytes)),
    ends,
    marks: pages.flatMap(({ marks }) => marks),
    ...(safeFrames.size > 0 && { safeFrames }),
  };
}

/** The part of a page after a sequence number. */
export function pageAfter(page: LogPage, afterSeq: number): LogPage {
  const skipped = afterSeq - page.firstSeq + 1;
  if (skipped <= 0) return page;
  const start = page.ends[skipped - 1] ?? 0;
  return {
    firstSeq: afterSeq + 1,
    bytes: page.bytes.subarray(start),
    ends: page.ends.slice(skipped).map((end) => end - start),
    marks: page.marks.filter(({ seq }) => seq > afterSeq),
    ...(page.safeFrames && { safeFrames: page.safeFrames }),
  };
}
