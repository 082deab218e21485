import { expect, it } from 'vitest';
import { cutText } from '../src/cut-text.js';

it.each([
  ['keeps a text that fits', 'ab😀', 4, 'ab😀'],
  ['cuts a longer text', 'abcd', 2, 'ab'],
  ['cuts before an emoji that does not fit', 'ab😀d', 3, 'ab'],
  ['cuts after an emoji that fits', 'a😀cd', 3, 'a😀'],
  ['keeps an unpaired surrogate of the input', 'ab\uD83D', 3, 'ab\uD83D'],
])('%s', (_name, text, maxLength, expected) => {
  expect(cutText(text, maxLength)).toBe(expected);
});
