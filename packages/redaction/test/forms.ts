import * as fc from 'fast-check';
import { createValueMatcher } from '../src/index.js';

/** Every form in which the tests write a value into a text. */
export const forms = {
  raw: (value) => value,
  'other letter case': (value) => swapCase(value),
  'JSON-escaped': jsonEscaped,
  'JSON-escaped twice': (value) => jsonEscaped(jsonEscaped(value)),
  'JSON-escaped three times': (value) => jsonEscaped(jsonEscaped(jsonEscaped(value))),
  'JSON in ASCII': asciiEscaped,
  'JSON in ASCII, upper-case hex': (value) =>
    asciiEscaped(value).replace(/\\u[0-9a-f]{4}/g, (escape) => `\\u${escape.slice(2).toUpperCase()}`),
  'JSON with escaped slashes': (value) => jsonEscaped(value).replaceAll('/', '\\/'),
  'JSON safe for HTML': (value) => jsonEscaped(value).replace(/[<>&]/g, (c) => hexEscape(c)),
  'URL component': (value) => encodeURIComponent(value),
  'URL component, lower-case hex': (value) => lowerHex(encodeURIComponent(value)),
  'whole URL': (value) => encodeURI(value),
  'HTML form': (value) => new URLSearchParams({ v: value }).toString().slice(2),
  'URL component twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'every byte as %XX': (value) => Array.from(Buffer.from(value), percent).join(''),
  'JSON in a URL': (value) => encodeURIComponent(jsonEscaped(value)),
  'JSON of a URL component': (value) => jsonEscaped(encodeURIComponent(value)),
} satisfies Record<string, (value: string) => string>;

export function jsonEscaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function asciiEscaped(value: string): string {
  return jsonEscaped(value).replace(/[^\x20-\x7e]/g, (unit) => hexEscape(unit));
}

function hexEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function lowerHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}

function percent(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`;
}

function swapCase(value: string): string {
  return value.replace(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));
}

/** A value that can be found inside a text: four characters or more, with repeated backslashes counted as one. */
export const canary = fc
  .oneof(
    fc.string({ minLength: 4, maxLength: 40, unit: 'grapheme' }),
    fc.string({ minLength: 4, maxLength: 40, unit: 'grapheme-ascii' }),
    fc.string({ minLength: 4, maxLength: 12, unit: fc.constantFrom(...'ab\\"%/ +n\nu0é€😀') }),
    fc.string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(...'ABCabc019-_') }),
  )
  .map((text) => text.trim())
  .filter((text) => text.isWellFormed() && !/\\{4}/.test(text) && text.replace(/\\+/g, '\\').length >= 4);

/** Text around a value, including characters that could be mistaken for part of its encoding. */
export const surrounding = fc.oneof(
  fc.string({ maxLength: 20, unit: 'grapheme' }),
  fc.string({ maxLength: 12, unit: fc.constantFrom(...'ab\\"%2541/ +n\nu0é=') }),
);

/** Creates a matcher of these values, named `v0`, `v1` and so on. */
export const matcherOf = (...values: unknown[]) =>
  createValueMatcher(values.map((value, index) => ({ name: `v${index}`, value })));
