import { expect, it } from 'vitest';
import { cutText } from '../src/cut-text.js';

it.each([
  ['keeps a string within the limit', 'ab😀', 4, 'ab😀'],
  ['cuts a longer string at the limit', 'abcd', 2, 'ab'],
  ['cuts before an emoji that spans the limit', 'ab😀d', 3, 'ab'],
  ['keeps an emoji that ends at the limit', 'a😀cd', 3, 'a😀'],
  ['keeps half an emoji at the end of a string within the limit', 'ab\uD83D', 3, 'ab\uD83D'],
])('cutText %s', (_name, text, maxLength, expected) => {
  expect(cutText(text, maxLength)).toBe(expected);
});
