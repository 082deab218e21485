import { describe, expect, it } from 'vitest';
import { jsonEscaped, matcherOf } from '../forms.js';

/** Applies `write` to a text `count` times. */
function applyTimes(count: number, write: (text: string) => string, text: string): string {
  let written = text;
  for (let i = 0; i < count; i += 1) written = write(written);
  return written;
}

function expectFound(value: string, written: string): void {
  expect(matcherOf(value).replace(`<${written}>`)).toBe('<{_{v0}_}>');
}

it.each(['\b', '\f', '\n', '\r', '\t', '"', '/', "'"])(
  'finds a value with a character escaped by a backslash: %j',
  (letter) => {
    const escape = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }[letter] ?? letter;
    expectFound(`sk${letter}live`, `sk\\${escape}live`);
    expectFound(`sk${letter}live`, encodeURIComponent(`sk\\${escape}live`));
  },
);

it.each([1, 2, 3, 4, 5, 6])('finds a value that is JSON-escaped %i times', (count) => {
  expectFound('sk\nlive', applyTimes(count, jsonEscaped, 'sk\nlive'));
});

describe('a percent-encoded value', () => {
  it.each([1, 2, 3])('is found if encoded %i times', (count) => {
    for (const value of ['sk live', 'sk/ü€😀/live', 'sk\\live'])
      expectFound(value, applyTimes(count, encodeURIComponent, value));
  });

  it.each([1, 2, 3])('is found if JSON-escaped and then encoded %i times', (count) => {
    for (const value of ['sk\nlive', 'sk"live', 'sk\\live'])
      expectFound(value, applyTimes(count, encodeURIComponent, jsonEscaped(value)));
  });

  it.each(['\u007f', '\u0080', '\u00bf', '\u07ff', '\u0800', '\uffff', '\u{10000}', '\u{10ffff}'])(
    'is found with a character of any UTF-8 length: %j',
    (letter) => expectFound(`sk${letter}live`, encodeURIComponent(`sk${letter}live`)),
  );
});

it.each(['sk\\x41-live', 'sk\\u0041-live'])('finds a value with a hexadecimal escape: %s', (written) =>
  expectFound('skA-live', written),
);

it.each(['\\x73k-live', '\\u0073k-live', '%73k-live', '%2573k-live'])(
  'finds a value whose first character is encoded: %s',
  (written) => expectFound('sk-live', written),
);

it.each([
  ['é-live', '%C3%A9-live'],
  ['\\-live', '%5C-live'],
  ['\\-live', '%255C-live'],
  ['%-live', '%25-live'],
  ['%-live', '%-live'],
  ['\\-live', '\\\\-live'],
  ['"-live', '%5C%22-live'],
  ['"-live', '\\%22-live'],
])('finds a value that begins with a special character: %s in %s', (value, written) =>
  expectFound(value, written),
);

it.each(['0', '9', 'a', 'f', 'A', 'F'])('reads the hexadecimal digit %s in an escape', (digit) => {
  expectFound(`sk${String.fromCharCode(Number.parseInt(`4${digit}`, 16))}live`, `sk%4${digit}live`);
  expectFound(`sk${String.fromCharCode(Number.parseInt(`4${digit}`, 16))}live`, `sk\\u004${digit}live`);
});

it.each([
  'ab\\%5Cdef',
  'ab\\%5C%5Cdef',
  'ab%41cd',
  'ab\\ncd',
  'ab\\u0041',
  'ab%2541',
  '\\\\%5C-abc',
  '%%41bc',
])('finds a value that only looks encoded, verbatim: %s', (value) => expectFound(value, value));
