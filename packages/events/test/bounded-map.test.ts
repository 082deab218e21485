import { expect, test } from 'vitest';
import { MOST_REMEMBERED, remember } from '../src/bounded-map.js';

function filled(count: number): Map<number, string> {
  const map = new Map<number, string>();
  for (let key = 0; key < count; key += 1) remember(map, key, 'x');
  return map;
}

test('keeps the newer half of a map once it exceeds its bound', () => {
  const map = filled(MOST_REMEMBERED + 1);
  expect([...map.keys()]).toEqual(
    Array.from({ length: MOST_REMEMBERED / 2 }, (_, i) => MOST_REMEMBERED / 2 + 1 + i),
  );
});

test('never exceeds the bound, and always keeps the newest entry', () => {
  const map = new Map<number, string>();
  let largest = 0;
  let lost = 0;
  for (let key = 0; key < 3 * MOST_REMEMBERED; key += 1) {
    remember(map, key, 'x');
    largest = Math.max(largest, map.size);
    if (!map.has(key)) lost += 1;
  }
  expect({ largest, lost }).toEqual({ largest: MOST_REMEMBERED, lost: 0 });
});

test('replaces an entry that is set again', () => {
  const map = filled(MOST_REMEMBERED);
  remember(map, 1, 'b');
  expect([map.size, map.get(0), map.get(1)]).toEqual([MOST_REMEMBERED, 'x', 'b']);
});
