import { expect, it } from 'vitest';
import { decodeNews, joinPages, pageAfter, pageOfEntries } from '../../src/log/page-codec.js';
import type { StreamEntry } from '../../src/stream-entry.js';

const news = (text: string) => {
  const decoded = decodeNews(Buffer.from(text));
  if (decoded.kind !== 'page') throw new TypeError(`expected a page, got ${decoded.kind}`);
  return decoded.page;
};
const textOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString();

it('ends a page before a missing entry', () => {
  const stored = ([seq, text]: [number, string]): StreamEntry => [
    Buffer.from(`${seq}-0`),
    ['f', text].map((part) => Buffer.from(part)),
  ];
  const entries = ([[3, 'a'], [4, 'b'], [6, 'c']] as [number, string][]).map(stored); // prettier-ignore
  expect(pageOfEntries(entries, 9)).toMatchObject({ firstSeq: 3, ends: [1, 2] });
  expect(pageOfEntries([], 9)).toMatchObject({ firstSeq: 9, ends: [] });
});

it('decodes published entries with their marks and safe frames, into a buffer of their own', () => {
  const text = 'page 4 e2\nab';
  const message = Buffer.alloc(text.length, text);
  const decoded = decodeNews(message);
  const page = news('page 4 e2:3,s1,e2:0,t0:2\nabcdeONETW');
  expect([page.firstSeq, textOf(page), page.ends]).toEqual([4, 'abcde', [2, 3, 5, 5]]);
  expect(page.marks).toEqual([
    { seq: 5, kind: 'turn_start' },
    { seq: 7, kind: 'turn_end' },
  ]);
  expect(page.safeFrames).toEqual(new Map([[4, 'ONE'], [6, ''], [7, 'TW']])); // prettier-ignore
  expect(decoded.kind === 'page' && decoded.page.bytes.buffer !== message.buffer).toBe(true);
});

it.each([
  ['gone', 'gone'],
  ['more', 'read'],
  ['open', 'read'],
  ['a word of a newer version', 'read'],
])('decodes the message %j as %j', (text, kind) => {
  expect(decodeNews(Buffer.from(text))).toEqual({ kind });
});

it('returns the part of a page after an entry as a page of its own', () => {
  const page = news('page 4 s2:2,e1:1,t1\nabcdABC');
  const rest = pageAfter(page, 4);
  expect([rest.firstSeq, textOf(rest), rest.ends, rest.marks]).toEqual([
    5,
    'cd',
    [1, 2],
    [{ seq: 6, kind: 'turn_end' }],
  ]);
  expect(rest.safeFrames?.get(5)).toBe('C');
  expect(pageAfter(page, 3)).toBe(page);
});

it('joins consecutive pages into one', () => {
  const page = joinPages([news('page 4 e2:1\nabA'), news('page 5 t1\nc'), news('page 6 e1:1\ndD')]);
  expect([page.firstSeq, textOf(page), page.ends, page.marks]).toEqual([
    4,
    'abcd',
    [2, 3, 4],
    [{ seq: 5, kind: 'turn_end' }],
  ]);
  expect(page.safeFrames).toEqual(new Map([[4, 'A'], [6, 'D']])); // prettier-ignore
  expect(joinPages([news('page 5 e1\nc')])).not.toHaveProperty('safeFrames');
});
