import { expect, it } from 'vitest';
import { cutText } from '../src/cut-text.js';

it.each([
  ['a text that fits', 'ab😀', 4, 'ab😀'],
  ['a longer one', 'abcd', 2, 'ab'],
  ['one with an emoji at its end', 'ab😀d', 3, 'ab'],
  ['one with an emoji before its end', 'a😀cd', 3, 'a😀'],
  ['half of a sign that was given', 'ab\uD83D', 3, 'ab\uD83D'],
])('cuts %s', (_name, text, maxLength, expected) => {
  expect(cutText(text, maxLength)).toBe(expected);
});
