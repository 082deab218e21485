import { beforeEach, expect, it } from 'vitest';
import { RecentPages } from '../../src/delivery/recent-pages.js';
import { createLogPage, type LogPage } from '../../src/log/log-page.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';

const kibibyte = 'x'.repeat(1024);
const pageOf = (firstSeq: number, ...frames: string[]) =>
  createLogPage(frames.map((text, index) => ({ seq: firstSeq + index, kind: 'event', frames: text })));
const placeOf = (page: LogPage | undefined) => page && [page.firstSeq, page.ends.length];

let pages: RecentPages;
beforeEach(() => {
  pages = new RecentPages({ log: new MemoryEventLog(), sessionId: 's' });
});

it('returns the pages in memory from any entry on, and nothing before the first or after the last', () => {
  pages.take(pageOf(3, 'a', 'b'));
  pages.take(pageOf(5, 'c', 'd', 'e'));
  expect([1, 2, 3, 4, 5, 6, 7].map((afterSeq) => placeOf(pages.peek(afterSeq)))).toEqual([
    undefined,
    [3, 2],
    [4, 1],
    [5, 3],
    [6, 2],
    [7, 1],
    undefined,
  ]);
});

it('keeps the newest 256 KiB, and the newest page however large it is', () => {
  for (const seq of [1, 2, 3]) pages.take(pageOf(seq, kibibyte.repeat(128)));
  expect([0, 1, 2].map((afterSeq) => placeOf(pages.peek(afterSeq)))).toEqual([undefined, [2, 1], [3, 1]]);
  pages.take(pageOf(4, kibibyte.repeat(300)));
  expect([2, 3].map((afterSeq) => placeOf(pages.peek(afterSeq)))).toEqual([undefined, [4, 1]]);
});

it('forgets its pages when the last reader has left, and then has room for as many again', () => {
  pages.take(pageOf(1, kibibyte.repeat(200)));
  pages.release();
  expect(pages.peek(0)).toBeUndefined();
  for (const seq of [2, 3]) pages.take(pageOf(seq, kibibyte.repeat(100)));
  expect(placeOf(pages.peek(1))).toEqual([2, 1]);
});

it('knows the id of the newest frame, even if newer entries have none', () => {
  expect(pages.newestIds).toEqual([]);
  pages.take(pageOf(1, 'id: a-1\ndata: 1\n\n'));
  pages.take(pageOf(2, ''));
  expect(pages.newestIds).toEqual(['a-1']);
});
