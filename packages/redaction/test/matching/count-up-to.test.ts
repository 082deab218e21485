import { expect, it } from 'vitest';
import { countUpTo } from '../../src/matching/count-up-to.js';

it.each([
  [[], 5, 0],
  [[3, 5, 5, 8], 2, 0],
  [[3, 5, 5, 8], 3, 1],
  [[3, 5, 5, 8], 5, 3],
  [[3, 5, 5, 8], 7, 3],
  [[3, 5, 5, 8], 9, 4],
])('counts how many numbers of %j are at most %i: %i', (sorted, most, count) => {
  expect(countUpTo(sorted, most)).toBe(count);
});
