import { expect, it } from 'vitest';
import { putLatest } from '../src/put-latest.js';

it('drops the oldest entry, even one with the key undefined; a key put again counts as the latest', () => {
  const map = new Map<unknown, number>();
  [undefined, 'a', 'b', 'a', 'c', 'd'].forEach((key, number) => putLatest(map, [key, number], 3));
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
    ['d', 5],
  ]);
});

it('reduces a map that is already above the limit', () => {
  const map = new Map([1, 2, 3, 4].map((number) => [number, number]));
  putLatest(map, [5, 5], 2);
  expect([...map.keys()]).toEqual([4, 5]);
});
