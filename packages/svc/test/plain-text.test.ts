import { expect, it } from 'vitest';
import { plainText } from '../src/plain-text.js';

it.each([
  ['an escape sequence', '\u001B[2J', String.raw`\u001b[2J`],
  ['a single-character escape sequence', '\u009B2J', String.raw`\u009b2J`],
  ['characters that overwrite the line', 'a\rb\bc\u007F', String.raw`a\u000db\u0008c\u007f`],
  ['a character that reverses the direction', 'a\u202Etxt.exe', String.raw`a\u202etxt.exe`],
  ['line breaks and tabs', 'a\tb\nc', 'a\tb\nc'],
  ['letters of any language', 'Grüße, 日本, 😀', 'Grüße, 日本, 😀'],
])('plainText escapes or keeps %s', (_, text, shown) => {
  expect(plainText(text)).toBe(shown);
});

it('plainText does not change the value of JSON', () => {
  const value = { text: '\u001B[31m\u009B\u202E\u007F\n"' };
  expect(JSON.parse(plainText(JSON.stringify(value)))).toEqual(value);
});
