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

/** What a page says of each entry; the frames for others that it holds of entries outside are nobody's concern. */
const contentOf = (page: LogPage) => ({
  firstSeq: page.firstSeq,
  text: Buffer.from(page.bytes).toString(),
  ends: page.ends,
  marks: page.marks,
  safe: page.ends.map((_, i) => page.safeFrames?.get(page.firstSeq + i)),
});

it('a part of a page is the page of its entries', () => {
  const ends = fc.integer({ min: 9, max: 20 });
  fc.assert(
    fc.property(entries, ends, ends, (all, from, to) => {
      const part = all.filter(({ seq }) => seq >= from && seq <= to);
      fc.pre(part.length > 0);
      expect(contentOf(slicePage(createLogPage(all), from, to))).toEqual(contentOf(createLogPage(part)));
    }),
  );
});

it('a part that holds none of the entries is empty, before them too', () => {
  const page = createLogPage(
    [11, 12, 13].map((seq) => ({ seq, kind: 'turn_end', frames: `data: ${seq}\n\n` })),
  );
  for (const empty of [slicePage(page, 14), slicePage(page, 12, 11), slicePage(page, 5, 8)])
    expect([empty.ends, empty.bytes.length, empty.marks]).toEqual([[], 0, []]);
});
