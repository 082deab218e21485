import { describe, expect, it } from 'vitest';
import { jsonEscaped, matcherOf } from '../forms.js';

/** A text to which this was done so many times. */
function times(count: number, write: (text: string) => string, text: string): string {
  let written = text;
  for (let i = 0; i < count; i += 1) written = write(written);
  return written;
}

function isFound(value: string, written: string): void {
  expect(matcherOf(value).replace(`<${written}>`)).toBe('<{_{v0}_}>');
}

it.each(['\b', '\f', '\n', '\r', '\t', '"', '/', "'"])(
  'a letter that is escaped with a backslash: %j',
  (letter) => {
    const escape = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }[letter] ?? letter;
    isFound(`sk${letter}live`, `sk\\${escape}live`);
    isFound(`sk${letter}live`, encodeURIComponent(`sk\\${escape}live`));
  },
);

it.each([1, 2, 3, 4, 5, 6])('a value in JSON, %i times', (count) => {
  isFound('sk\nlive', times(count, jsonEscaped, 'sk\nlive'));
});

describe('a value in a URL', () => {
  it.each([1, 2, 3])('%i times', (count) => {
    for (const value of ['sk live', 'sk/ü€😀/live', 'sk\\live'])
      isFound(value, times(count, encodeURIComponent, value));
  });

  it.each([1, 2, 3])('with JSON in it, %i times', (count) => {
    for (const value of ['sk\nlive', 'sk"live', 'sk\\live'])
      isFound(value, times(count, encodeURIComponent, jsonEscaped(value)));
  });

  it.each(['\u007f', '\u0080', '\u00bf', '\u07ff', '\u0800', '\uffff', '\u{10000}', '\u{10ffff}'])(
    'with a letter of so many bytes: %j',
    (letter) => isFound(`sk${letter}live`, encodeURIComponent(`sk${letter}live`)),
  );
});

it.each(['sk\\x41-live', 'sk\\u0041-live'])('hexadecimal digits: %s', (written) =>
  isFound('skA-live', written),
);

it.each(['\\x73k-live', '\\u0073k-live', '%73k-live', '%2573k-live'])(
  'a value of which the first letter is encoded: %s',
  (written) => isFound('sk-live', written),
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
])('a value that begins with another sign: %s in %s', (value, written) => isFound(value, written));

it.each(['0', '9', 'a', 'f', 'A', 'F'])('the hexadecimal digit %s', (digit) => {
  isFound(`sk${String.fromCharCode(Number.parseInt(`4${digit}`, 16))}live`, `sk%4${digit}live`);
  isFound(`sk${String.fromCharCode(Number.parseInt(`4${digit}`, 16))}live`, `sk\\u004${digit}live`);
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
])('what only looks encoded is found as it is: %s', (value) => isFound(value, value));
