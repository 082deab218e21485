import type { EntryKind } from './entry-kind.js';
import type { EntryNote, LogEvent } from './event-log.js';
import type { LogPage, PageMark } from './log-page.js';

/** One run of bytes and the ends of its entries. Written bytes are never overwritten while in use. */
interface Segment {
  readonly firstSeq: number;
  buffer: Buffer;
  used: number;
  readonly ends: number[];
  readonly marks: PageMark[];
  readonly notes: EntryNote[];
  safeFrames: Map<number, string> | undefined;
  safeBytes: number;
  /** Whether its bytes were given out; their holder may keep them for any time. */
  isShared: boolean;
}

/** The stored part of an entry. */
export type KeptEntry = Pick<LogEvent, 'kind' | 'frames' | 'safeFrames' | 'note'>;

const SMALLEST_SEGMENT_BYTES = 1024;
const LARGEST_SEGMENT_BYTES = 256 * 1024;
const LONGEST_UNIT_BYTES = 3;

/**
 * Consecutive entries in a few large buffers: positions are computed, reading copies nothing, and an entry costs its bytes
 * and one number.
 */
export class FrameSegments {
  readonly #maxBytes: number;
  /** The maximum segment size; two segments fit into `maxBytes`. */
  readonly #largestBytes: number;
  readonly #segments: Segment[] = [];
  #heldBytes = 0;
  /** The buffer of a dropped segment that was never given out, for reuse. */
  #spare: Buffer | undefined;
  #oldestSeq: number;
  #headSeq: number;
  #headKind: EntryKind | undefined;

  /** Entries start after `afterSeq`. The oldest segments are dropped as a whole once there are more than `maxBytes`. */
  constructor({ maxBytes, afterSeq = 0 }: { maxBytes: number; afterSeq?: number }) {
    this.#maxBytes = maxBytes;
    this.#largestBytes = Math.min(LARGEST_SEGMENT_BYTES, Math.ceil(maxBytes / 2));
    this.#headSeq = afterSeq;
    this.#oldestSeq = afterSeq + 1;
  }

  get oldestSeq(): number {
    return this.#oldestSeq;
  }

  get headSeq(): number {
    return this.#headSeq;
  }

  get headKind(): EntryKind | undefined {
    return this.#headKind;
  }

  /** The bytes of its buffers, whether they are full or not, and of the frames for `frontend_safe` readers. */
  get heldBytes(): number {
    return this.#heldBytes + (this.#spare?.length ?? 0);
  }

  append({ kind, frames, safeFrames, note }: KeptEntry): void {
    const segment = this.#segmentFor(frames);
    const seq = this.#headSeq + 1;
    segment.used += segment.buffer.write(frames, segment.used);
    segment.ends.push(segment.used);
    if (kind !== 'event') segment.marks.push({ seq, kind });
    if (note !== undefined) segment.notes.push({ seq, note });
    if (safeFrames !== undefined) {
      const bytes = Buffer.byteLength(safeFrames);
      (segment.safeFrames ??= new Map()).set(seq, safeFrames);
      segment.safeBytes += bytes;
      this.#heldBytes += bytes;
      this.#dropExcess();
    }
    this.#headSeq = seq;
    this.#headKind = kind;
  }

  /** The entries after a sequence number, up to the end of their segment; undefined if there are none. */
  readAfter(afterSeq: number): LogPage | undefined {
    const fromSeq = Math.max(afterSeq + 1, this.#oldestSeq);
    if (fromSeq > this.#headSeq) return undefined;
    const segment = this.#segmentOf(fromSeq);
    if (segment === undefined) return undefined;
    const skipped = fromSeq - segment.firstSeq;
    const start = skipped === 0 ? 0 : (segment.ends[skipped - 1] ?? 0);
    const ends = segment.ends.slice(skipped);
    if (start > 0) for (let i = 0; i < ends.length; i += 1) ends[i] = (ends[i] ?? 0) - start;
    segment.isShared = true;
    const bytes = segment.buffer.subarray(start, segment.used);
    const marks = marksFrom(segment.marks, fromSeq);
    const { safeFrames } = segment;
    if (safeFrames === undefined) return { firstSeq: fromSeq, bytes, ends, marks };
    return { firstSeq: fromSeq, bytes, ends, marks, safeFrames };
  }

  notes(): EntryNote[] {
    return this.#segments.flatMap(({ notes }) => notes.filter(({ seq }) => seq >= this.#oldestSeq));
  }

  trim(throughSeq: number): void {
    this.#oldestSeq = Math.max(this.#oldestSeq, Math.min(throughSeq, this.#headSeq) + 1);
    while (this.#segments[1] !== undefined && this.#segments[1].firstSeq <= this.#oldestSeq) this.#drop();
  }

  #drop(): void {
    const dropped = this.#segments.shift();
    if (dropped !== undefined) {
      this.#heldBytes -= dropped.buffer.length + dropped.safeBytes;
      if (!dropped.isShared && dropped.buffer.length === this.#largestBytes) this.#spare = dropped.buffer;
    }
    this.#oldestSeq = Math.max(this.#oldestSeq, this.#segments[0]?.firstSeq ?? 0);
  }

  /** Returns a segment with room. The newest one grows, to keep the number of segments small. */
  #segmentFor(frames: string): Segment {
    const last = this.#segments.at(-1);
    const free = last === undefined ? 0 : last.buffer.length - last.used;
    if (last && free >= frames.length * LONGEST_UNIT_BYTES) return last;
    const needed = Buffer.byteLength(frames);
    if (last && free >= needed) return last;
    if (last && last.used + needed <= this.#largestBytes) return this.#grown(last, needed);
    const isFirst = last === undefined;
    const smallest = Math.min(SMALLEST_SEGMENT_BYTES, this.#largestBytes);
    return this.#added(Math.max(needed, isFirst ? smallest : this.#largestBytes));
  }

  /** Readers that have the smaller buffer keep it. */
  #grown(segment: Segment, needed: number): Segment {
    const { buffer, used } = segment;
    const size = Math.min(Math.max(buffer.length * 4, used + needed), this.#largestBytes);
    segment.buffer = Buffer.allocUnsafeSlow(size);
    segment.isShared = false;
    buffer.copy(segment.buffer, 0, 0, used);
    this.#heldBytes += size - buffer.length;
    return segment;
  }

  #added(size: number): Segment {
    const segment: Segment = {
      firstSeq: this.#headSeq + 1,
      buffer: this.#takeBuffer(size),
      used: 0,
      ends: [],
      marks: [],
      notes: [],
      safeFrames: undefined,
      safeBytes: 0,
      isShared: false,
    };
    this.#segments.push(segment);
    this.#heldBytes += size;
    this.#dropExcess();
    return segment;
  }

  #dropExcess(): void {
    while (this.#heldBytes > this.#maxBytes && this.#segments.length > 1) this.#drop();
  }

  #takeBuffer(size: number): Buffer {
    const spare = this.#spare;
    if (spare?.length !== size) return Buffer.allocUnsafeSlow(size);
    this.#spare = undefined;
    return spare;
  }

  #segmentOf(seq: number): Segment | undefined {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#segments[middle]?.firstSeq ?? 0) <= seq) low = middle;
      else high = middle - 1;
    }
    return this.#segments[low];
  }
}

const noMarks: readonly PageMark[] = [];

/** Always a copy: the array grows, but a page must not change. */
function marksFrom(marks: readonly PageMark[], fromSeq: number): readonly PageMark[] {
  if (marks.length === 0) return noMarks;
  let first = marks.length;
  while (first > 0 && (marks[first - 1]?.seq ?? 0) >= fromSeq) first -= 1;
  return marks.slice(first);
}
