import { expect, it } from 'vitest';
import { SeenIds } from '../../src/http/seen-ids.js';

it('SeenIds remembers only the latest ids, up to its limit', () => {
  const seen = new SeenIds(2);
  expect(['a', 'a', 'b', 'c'].map((id) => seen.add(id, 'x'))).toEqual([true, false, true, true]);
  expect(['c', 'b', 'a'].map((id) => seen.add(id, 'x'))).toEqual([false, false, true]);
});

it('SeenIds counts an id with other content as the latest', () => {
  const seen = new SeenIds(2);
  const isNew = ['a x', 'b x', 'a y', 'c x', 'a y'].map((event) => seen.add(event.slice(0, 1), event));
  expect(isNew).toEqual([true, true, true, true, false]);
});

it('SeenIds knows an event by its id and its content, of which the latest counts', () => {
  const seen = new SeenIds();
  expect(['x', 'y', 'y', 'x'].map((content) => seen.add('a', content))).toEqual([true, true, false, true]);
});
