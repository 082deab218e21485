import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { isError } from '../src/is-error.js';

it.each([
  ['an error', new TypeError('x'), true],
  ['an exception of the web', new DOMException('x', 'AbortError'), true],
  ['an error of another realm', runInNewContext('new TypeError("x")'), true],
  ['what only looks like one', { name: 'Error', message: 'x', stack: 'Error: x' }, false],
  ['nothing', undefined, false],
])('isError knows %s', (_what, value, expected) => {
  expect(isError(value)).toBe(expected);
});
