import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { FrameSegments } from '../../src/log/frame-segments.js';
import type { LogPage } from '../../src/log/log-page.js';

const kiB = 1024;
const segmentBytes = 256 * kiB;

/** Returns all entries stored after a sequence number, in the pages that `readAfter` returns. */
function pagesAfter(segments: FrameSegments, afterSeq: number): LogPage[] {
  const pages: LogPage[] = [];
  for (let seq = afterSeq; ;) {
    const page = segments.readAfter(seq);
    if (page === undefined) return pages;
    pages.push(page);
    seq = page.firstSeq + page.ends.length - 1;
  }
}

/** Returns the entries of a page as strings, with their sequence numbers. */
function entriesOf(page: LogPage): [number, string][] {
  const { bytes, ends, firstSeq } = page;
  return ends.map((end, i) => [
    firstSeq + i,
    Buffer.from(bytes.subarray(i === 0 ? 0 : ends[i - 1], end)).toString(),
  ]);
}

const append = (segments: FrameSegments, ...all: string[]) => {
  for (const frames of all) segments.append({ kind: 'event', frames });
};

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ append: fc.tuple(fc.constantFrom('a', 'é', '你', '😀'), fc.nat(120_000)) }),
  },
  { weight: 3, arbitrary: fc.record({ read: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ trim: fc.nat(40) }) },
);

it('returns what was written, never changes a page given to a reader, and stays within maxBytes', () => {
  const maxBytes = 3 * segmentBytes;
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 100 }), (steps) => {
      const segments = new FrameSegments({ maxBytes });
      const written = new Map<number, string>();
      const held: LogPage[] = [];
      for (const each of steps) {
        if ('append' in each) {
          const [letter, length] = each.append;
          const frames = `${segments.headSeq + 1}:${letter.repeat(length)}`;
          append(segments, frames);
          written.set(segments.headSeq, frames);
        } else if ('read' in each) {
          const page = segments.readAfter(Math.max(0, segments.headSeq - each.read));
          if (page !== undefined) held.push(page);
        } else segments.trim(segments.headSeq - each.trim);
      }
      const pages = pagesAfter(segments, 0);
      expect(pages.flatMap(({ ends }) => ends)).toHaveLength(segments.headSeq + 1 - segments.oldestSeq);
      for (const [seq, frames] of [...held, ...pages].flatMap(entriesOf))
        expect(frames === written.get(seq)).toBe(true);
      const largest = Math.max(0, ...[...written.values()].map((frames) => Buffer.byteLength(frames)));
      const bytes = pages.reduce((sum, page) => sum + page.bytes.length, 0);
      expect(bytes).toBeLessThanOrEqual(Math.max(maxBytes, largest));
    }),
    { numRuns: 30, seed: Number(process.env['PROPERTY_SEED'] ?? 1) },
  );
});

it('fills maxBytes before it drops the oldest segment as a whole', () => {
  const segments = new FrameSegments({ maxBytes: 2 * segmentBytes });
  const quarter = 'x'.repeat(segmentBytes / 4);
  for (let i = 0; i < 8; i += 1) append(segments, quarter);
  expect([segments.oldestSeq, segments.headSeq]).toEqual([1, 8]);
  append(segments, quarter);
  expect([segments.oldestSeq, segments.headSeq]).toEqual([5, 9]);
  for (let i = 0; i < 40; i += 1) append(segments, quarter);
  expect([segments.oldestSeq, segments.headSeq]).toEqual([45, 49]);
});

it.each([500, 2000, 100_000, 256 * kiB])('stores at most %i bytes, and at least a quarter', (maxBytes) => {
  const segments = new FrameSegments({ maxBytes });
  const frames = 'x'.repeat(100);
  for (let i = 0; i < 5000; i += 1) {
    append(segments, frames);
    const held = (segments.headSeq + 1 - segments.oldestSeq) * frames.length;
    expect(held).toBeLessThanOrEqual(maxBytes);
  }
  expect(pagesAfter(segments, 0).flatMap(({ ends }) => ends).length).toBeGreaterThanOrEqual(maxBytes / 400);
});

it('keeps an entry larger than maxBytes, without any other', () => {
  const segments = new FrameSegments({ maxBytes: 1 });
  append(segments, 'small', 'x'.repeat(2 * segmentBytes), 'next');
  expect([segments.oldestSeq, segments.headSeq]).toEqual([3, 3]);
});

it('returns the entries in as few pages as possible', () => {
  const segments = new FrameSegments({ maxBytes: 4 * segmentBytes });
  for (let i = 0; i < 512; i += 1) append(segments, 'x'.repeat(kiB));
  expect(pagesAfter(segments, 0).map(({ ends }) => ends.length)).toEqual([256, 256]);
});

it('allocates little memory for a short session', () => {
  const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const segments = new FrameSegments({ maxBytes: 4 * segmentBytes });
  append(segments, 'x'.repeat(100), 'x'.repeat(900), 'x'.repeat(100), 'é'.repeat(1000));
  expect(allocate.mock.calls.flat()).toEqual([kiB, 4 * kiB]);
});

it('reuses only buffers that were never given to a reader', () => {
  const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const segments = new FrameSegments({ maxBytes: 2 * segmentBytes });
  const whole = 'x'.repeat(segmentBytes);
  for (let i = 0; i < 4; i += 1) append(segments, whole);
  allocate.mockClear();
  for (let i = 0; i < 10; i += 1) append(segments, whole);
  expect(allocate).not.toHaveBeenCalled();
  for (let i = 0; i < 10; i += 1) {
    segments.readAfter(segments.headSeq - 1);
    append(segments, whole);
  }
  // The first two appends could reuse buffers that no reader had been given.
  expect(allocate).toHaveBeenCalledTimes(8);
});

it('no longer returns trimmed entries, even those in a segment that is kept', () => {
  const segments = new FrameSegments({ maxBytes: 4 * segmentBytes });
  const half = 'x'.repeat(segmentBytes / 2);
  for (let i = 0; i < 6; i += 1) append(segments, half);
  segments.trim(3);
  expect([segments.oldestSeq, segments.readAfter(0)?.firstSeq, segments.readAfter(0)?.ends.length]).toEqual([
    4, 4, 1,
  ]);
  segments.trim(99);
  expect([segments.oldestSeq, segments.readAfter(0)]).toEqual([7, undefined]);
  append(segments, half);
  expect(segments.readAfter(0)?.firstSeq).toBe(7);
});
