import { expect, it } from 'vitest';
import { isJson } from '../src/is-json.js';

const circular: unknown[] = [];
circular.push(circular);

it.each([
  ['null', null],
  ['an object with something absent in it', { absent: undefined }],
  ['a date', new Date(0)],
])('JSON can carry %s', (_, value) => {
  expect(isJson(value)).toBe(true);
});

it.each([
  ['a BigInt in a list', [1n]],
  ['what refers to itself', circular],
  ['what is absent', undefined],
  ['a function', () => 1],
])('JSON cannot carry %s', (_, value) => {
  expect(isJson(value)).toBe(false);
});
