import { expect, it } from 'vitest';
import { plainText } from '../src/plain-text.js';

it.each([
  ['escapes an escape sequence', '\u001B[2J', String.raw`\u001b[2J`],
  ['escapes a single-character escape sequence', '\u009B2J', String.raw`\u009b2J`],
  ['escapes characters that overwrite the line', 'a\rb\bc\u007F', String.raw`a\u000db\u0008c\u007f`],
  ['escapes a character that reverses the direction', 'a\u202Etxt.exe', String.raw`a\u202etxt.exe`],
  ['keeps line breaks and tabs', 'a\tb\nc', 'a\tb\nc'],
  ['keeps letters of any language', 'Grüße, 日本, 😀', 'Grüße, 日本, 😀'],
])('plainText %s', (_, text, shown) => {
  expect(plainText(text)).toBe(shown);
});

it('plainText does not change the value of JSON', () => {
  const value = { text: '\u001B[31m\u009B\u202E\u007F\n"' };
  expect(JSON.parse(plainText(JSON.stringify(value)))).toEqual(value);
});
