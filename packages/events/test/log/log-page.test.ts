import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLogPage, slicePage, type LogPage, type PageEntry } from '../../src/log/log-page.js';

const entries = fc
  .array(
    fc.record({
      kind: fc.constantFrom('event', 'turn_start', 'turn_end'),
      frames: fc.string({ unit: 'grapheme', maxLength: 5 }),
      safeFrames: fc.option(fc.string({ maxLength: 3 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.map((part, i): PageEntry => ({ seq: 11 + i, ...part })));

/** Returns the content of a page by entry. A slice may still contain safe frames of entries outside it; they do not count. */
const contentOf = (page: LogPage) => ({
  firstSeq: page.firstSeq,
  text: Buffer.from(page.bytes).toString(),
  ends: page.ends,
  marks: page.marks,
  safe: page.ends.map((_, i) => page.safeFrames?.get(page.firstSeq + i)),
});

it('slices a page into the same page that its entries alone would make', () => {
  const ends = fc.integer({ min: 9, max: 20 });
  fc.assert(
    fc.property(entries, ends, ends, (all, from, to) => {
      const part = all.filter(({ seq }) => seq >= from && seq <= to);
      fc.pre(part.length > 0);
      expect(contentOf(slicePage(createLogPage(all), from, to))).toEqual(contentOf(createLogPage(part)));
    }),
  );
});

it('returns an empty page for a range that contains no entry, even before the first', () => {
  const page = createLogPage(
    [11, 12, 13].map((seq) => ({ seq, kind: 'turn_end', frames: `data: ${seq}\n\n` })),
  );
  for (const empty of [slicePage(page, 14), slicePage(page, 12, 11), slicePage(page, 5, 8)])
    expect([empty.ends, empty.bytes.length, empty.marks]).toEqual([[], 0, []]);
});
