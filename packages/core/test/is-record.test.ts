import { expect, it } from 'vitest';
import { isRecord } from '../src/is-record.js';

it.each([
  ['an object', {}, true],
  ['an object without a prototype', Object.create(null), true],
  ['an array', [], false],
  ['null', null, false],
  ['a function', () => 1, false],
  ['a string', 'x', false],
])('isRecord judges %s', (_what, value, expected) => {
  expect(isRecord(value)).toBe(expected);
});
