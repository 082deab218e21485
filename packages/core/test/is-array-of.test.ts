import { expect, it } from 'vitest';
import { isArrayOf } from '../src/is-array-of.js';

it.each([
  ['an array of only such items', ['a', 'b'], true],
  ['an empty array', [], true],
  ['an array with another item', ['a', 5], false],
  ['an array with a hole', Object.assign([], { 1: 'a' }), false],
  ['a string', 'a', false],
])('isArrayOf judges %s', (_what, value, expected) => {
  expect(isArrayOf(value, (item) => typeof item === 'string')).toBe(expected);
});
