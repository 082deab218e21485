import { expect, it } from 'vitest';
import { isJson } from '../src/is-json.js';

const circular: unknown[] = [];
circular.push(circular);

it.each([
  ['null', null],
  ['an object with an undefined property', { absent: undefined }],
  ['a date', new Date(0)],
])('accepts %s', (_, value) => {
  expect(isJson(value)).toBe(true);
});

it.each([
  ['a BigInt in an array', [1n]],
  ['a circular array', circular],
  ['undefined', undefined],
  ['a function', () => 1],
])('refuses %s', (_, value) => {
  expect(isJson(value)).toBe(false);
});
