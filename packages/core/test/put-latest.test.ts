import { expect, it } from 'vitest';
import { putLatest } from '../src/put-latest.js';

it('what is put again is the latest, and of too many entries the oldest goes, whatever its key', () => {
  const map = new Map<unknown, number>();
  [undefined, 'a', 'b', 'a', 'c', 'd'].forEach((key, number) => putLatest(map, [key, number], 3));
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
    ['d', 5],
  ]);
});

it('a map that holds too many already is cut to what it may hold', () => {
  const map = new Map([1, 2, 3, 4].map((number) => [number, number]));
  putLatest(map, [5, 5], 2);
  expect([...map.keys()]).toEqual([4, 5]);
});
