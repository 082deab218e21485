import { expect, it } from 'vitest';
import { SeenIds } from '../../src/http/seen-ids.js';

it('SeenIds remembers only the latest ids, up to its limit', () => {
  const seen = new SeenIds(2);
  expect(['a', 'a', 'b', 'c'].map((id) => seen.add(id))).toEqual([true, false, true, true]);
  expect(['c', 'b', 'a'].map((id) => seen.add(id))).toEqual([false, false, true]);
});
