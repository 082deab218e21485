import { expect, it } from 'vitest';
import { cutText } from '../src/cut-text.js';

it.each([
  ['a string within the limit', 'ab😀', 4, 'ab😀'],
  ['a longer string', 'abcd', 2, 'ab'],
  ['a string whose limit falls within an emoji', 'ab😀d', 3, 'ab'],
  ['a string whose limit falls after an emoji', 'a😀cd', 3, 'a😀'],
  ['a string that already ends with half an emoji', 'ab\uD83D', 3, 'ab\uD83D'],
])('returns the prefix of %s', (_name, text, maxLength, expected) => {
  expect(cutText(text, maxLength)).toBe(expected);
});
