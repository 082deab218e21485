import { expect, test } from 'vitest';
import { setBounded } from '../src/bounded-map.js';

test('a map over its bound keeps the newer half', () => {
  const map = new Map<number, string>();
  for (let key = 0; key <= 10; key += 1) setBounded(map, [key, 'x'], 10);
  expect([...map.keys()]).toEqual([6, 7, 8, 9, 10]);
});

test('a map never holds more than its bound, and always its newest entry', () => {
  const map = new Map<number, string>();
  for (let key = 0; key < 1_000; key += 1) {
    setBounded(map, [key, 'x'], 7);
    expect(map.size).toBeLessThanOrEqual(7);
    expect(map.has(key)).toBe(true);
  }
});

test('setting an entry again adds none', () => {
  const map = new Map([[1, 'a']]);
  setBounded(map, [1, 'b'], 1);
  expect([...map]).toEqual([[1, 'b']]);
});
