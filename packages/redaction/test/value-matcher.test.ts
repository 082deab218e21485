import { describe, expect, it } from 'vitest';
import { createValueMatcher } from '../src/index.js';
import { forms, jsonEscaped, matcherOf } from './forms.js';

const secret = 'sk-live/"Grün 7€\\n\n+😀';
/** Bytes that are not valid UTF-8, in hexadecimal. */
const key = 'ff00fbefbe12aa4711';

class Address {
  toJSON() {
    return this;
  }
}

describe('a value matcher', () => {
  it.each(Object.entries(forms))('finds a value in the form: %s', (_, form) => {
    expect(matcherOf(secret).replace(`<${form(secret)}>`)).toBe('<{_{v0}_}>');
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'finds base64 and base64url inside a longer encoded text, after %i bytes',
    (offset) => {
      const bytes = Buffer.from(`${'?~>'.repeat(2).slice(0, offset)}${secret}>>~tail`);
      for (const text of [bytes.toString('base64'), bytes.toString('base64url')]) {
        const shown = matcherOf(secret).replace(text);
        expect(shown).toContain('{_{v0}_}');
        expect(shown.length).toBeLessThan(10 + 8 + 14);
      }
    },
  );

  it('finds base64 of JSON that contains the value', () => {
    const text = Buffer.from(JSON.stringify({ token: secret })).toString('base64');
    expect(matcherOf(secret).replace(text)).toContain('{_{v0}_}');
  });

  it.each([
    ['line feeds', '\n'],
    ['CRLF', '\r\n'],
    ['JSON-escaped line feeds', '\\n'],
    ['JSON-escaped CRLF', '\\r\\n'],
  ])('finds base64 wrapped with %s', (_, lineBreak) => {
    const value = 'a rather long private value that takes more than one line of base64, like a key';
    const wrapped = Buffer.from(value)
      .toString('base64')
      .replace(/.{20}/g, (line) => line + lineBreak);
    expect(matcherOf(value).replace(`<${wrapped}>`)).toMatch(/^<\{_\{v0\}_\}=*>$/);
  });

  it('finds base64 in a URL', () => {
    const value = '???>~>?~>??';
    const text = encodeURIComponent(Buffer.from(value).toString('base64'));
    expect(text).toContain('%2F');
    expect(matcherOf(value).replace(text)).toBe('{_{v0}_}%3D');
  });

  it.each([
    ['Anna Berg', 'agent:anna_berg'],
    ['Anna \t Berg', 'agent:anna_berg'],
    ['İpek Ünal', 'agent:i\u0307pek_ünal'],
    ['ΆΝΝΑΣ ΜΠΕΡΓ', 'agent:άννας_μπεργ'],
    ['Anna/Berg & Co', 'agent%3Aanna%2Fberg_%26_co'],
  ])('finds %j in an id derived from it', (value, id) => {
    expect(matcherOf(value).replace(id)).toMatch(/^agent(:|%3A)\{_\{v0\}_\}$/);
  });

  it('finds an id derived from a value only if the id is long enough', () => {
    expect(matcherOf('a     b').replace('a_b a     b')).toBe('a_b {_{v0}_}');
  });

  it.each([
    ['the same strings', [{ name: 'client', value: { first: 'Anna', last: ' Berg ' } }], true],
    ['the same strings in another order', [{ name: 'client', value: ['Berg', 'Anna'] }], false],
    ['another name', [{ name: 'person', value: ['Anna', 'Berg'] }], false],
    ['another string', [{ name: 'client', value: ['Anna', 'Tal'] }], false],
    ['fewer strings', [{ name: 'client', value: 'Anna' }], false],
    ['more strings', [{ name: 'client', value: ['Anna', 'Berg', 'Tal'] }], false],
  ])('reports whether it was created from %s', (_, values, isSame) => {
    const matcher = createValueMatcher([{ name: 'client', value: ['Anna', 'Berg'] }]);
    expect(matcher.isMadeOf(values)).toBe(isSame);
  });

  it('finds any of 40,000 values', () => {
    const values = Array.from({ length: 40_000 }, (_, i) => 100_000 + i);
    expect(matcherOf(values).replace('139999')).toBe('{_{v0}_}');
  });

  it('finds numbers, bigints, and every string of an array or object', () => {
    const matcher = matcherOf(123456, 2n ** 70n, { address: { street: 'Long Lane' }, tags: ['blue-tag'] });
    expect(matcher.replace('123456, 1180591620717411303424, Long Lane, blue-tag')).toBe(
      '{_{v0}_}, {_{v1}_}, {_{v2}_}, {_{v2}_}',
    );
  });

  it.each([
    ['a map', new Map([['k', 'Long Lane']]), 'Long Lane'],
    ['a set', new Set(['Long Lane']), 'Long Lane'],
    ['a boxed string', Object('Long Lane'), 'Long Lane'],
    ['a boxed number', Object(123_456), '123456'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an object with toJSON', { toJSON: () => ({ street: 'Long Lane' }) }, 'Long Lane'],
    [
      'an object whose toJSON returns the object itself',
      Object.assign(new Address(), { street: 'Long Lane' }),
      'Long Lane',
    ],
    ['an object whose toJSON is a string', { toJSON: 'no', street: 'Long Lane' }, 'Long Lane'],
    ['bytes of UTF-8 text', new TextEncoder().encode('Long Läne'), 'Long Läne'],
    [
      'bytes of UTF-8 text, in base64',
      Buffer.from('Long Lane'),
      Buffer.from('Long Lane').toString('base64url'),
    ],
    ['an ArrayBuffer, as keys are exported', Uint8Array.from(Buffer.from(key, 'hex')).buffer, key],
    ['a DataView', new DataView(Uint8Array.from([0, ...Buffer.from('Long Lane')]).buffer, 1), 'Long Lane'],
    ['eight bytes that are not UTF-8', Buffer.from(key.slice(0, 16), 'hex'), key.slice(0, 16)],
    ['bytes that are not UTF-8, in hexadecimal', Buffer.from(key, 'hex'), key.toUpperCase()],
    [
      'bytes that are not UTF-8, in base64',
      Buffer.from(key, 'hex'),
      Buffer.from(key, 'hex').toString('base64').replace(/=+$/, ''),
    ],
    [
      'bytes that are not UTF-8, in base64url',
      { of: [Buffer.from(key, 'hex')] },
      Buffer.from(key, 'hex').toString('base64url'),
    ],
  ])('finds the content of %s', (_, value, text) => {
    expect(matcherOf(value).replace(`<${text}>`)).toBe('<{_{v0}_}>');
  });

  it('finds a string within 256 nested arrays, and not deeper', () => {
    const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}"Long Lane"${']'.repeat(levels)}`);
    expect([256, 257].map((levels) => matcherOf(nested(levels)).has('Long Lane'))).toEqual([true, false]);
  });

  it('finds values without the white space around them', () => {
    expect(matcherOf('  padded \n').replace('x padded y')).toBe('x {_{v0}_} y');
  });

  it('finds a value with backslashes at every level of escaping', () => {
    const path = '\\\\server\\new share';
    for (const text of [path, jsonEscaped(path), jsonEscaped(jsonEscaped(path))]) {
      expect(matcherOf(path).replace(`at ${text}!`)).toBe('at {_{v0}_}!');
    }
  });

  it('finds a value right after a backslash or percent sign that is part of the text', () => {
    expect(matcherOf('n"abc').replace(`\\${jsonEscaped('n"abc')}`)).toBe('\\{_{v0}_}');
    expect(matcherOf('41 abc').replace('%41%20abc')).toBe('%{_{v0}_}');
    expect(matcherOf('\\abc').replace(`${'\\'.repeat(1000)}abc`)).toMatch(/^\\+\{_\{v0\}_\}$/);
  });
});

describe('a value matcher does not find', () => {
  it('keys of maps and objects, or words and numbers from the JSON of bytes', () => {
    const matcher = matcherOf(
      { street: 1234 },
      new Map([['street', 1234]]),
      Buffer.from(key, 'hex'),
      Buffer.of(255),
    );
    expect(matcher.scrub({ street: 'Buffer', data: [255, 0, 17] })).toEqual({
      street: 'Buffer',
      data: [255, 0, 17],
    });
  });

  it.each([
    ['anything without values', []],
    ['a blank value', ['   ']],
    ['booleans, null, undefined, NaN and empty strings', [true, false, null, undefined, Number.NaN, '']],
    ['an object whose toJSON returns null', [{ toJSON: (): unknown => null, street: 'true' }]],
    ['seven bytes that are not UTF-8', [Buffer.from('NaN abc').fill(0xff, 0, 3)]],
    ['values under four characters', ['abc', 12]],
    ['a value of backslashes only', ['\\\\\\\\\\\\']],
  ])('%s', (_, values) => {
    const text = 'true false null undefined NaN abc 12 ffffff20616263 \\\\\\\\\\\\';
    expect(matcherOf(...values).replace(text)).toBe(text);
  });

  it.each([
    ['a part of the value', 'secret-12'],
    ['the value with an extra character inside', 'secret--1234'],
    ['the value in an unknown encoding', 'frperg-1234'],
    ['base64 of another value', Buffer.from('secret-1235').toString('base64')],
    ['base64 in the wrong letter case', Buffer.from('secret-1234').toString('base64').toLowerCase()],
    ['a cut escape', 'secret-123\\u003'],
    ['broken UTF-8', 'secret-%ff%fe1234'],
  ])('%s', (_, text) => {
    expect(matcherOf('secret-1234').replace(text)).toBe(text);
  });
});

it.each([
  ['Straße 12', 'STRASSE 12', false],
  ['Straße 12', 'sTRAßE 12', true],
  ['Jos\u00e9 Maria', 'JOS\u00c9 MARIA', true],
  ['Jos\u00e9 Maria', 'Jose\u0301 Maria', false],
])(
  'compares letter by letter in any case, without normalizing: %s is found in %s: %s',
  (value, text, isFound) => {
    expect(matcherOf(value).has(text)).toBe(isFound);
  },
);

it.each([
  ['a string', ['secret-1234']],
  ['null', [null]],
  ['an entry of a map', new Map([['token', 'secret-1234']])],
  ['a value under another field', [{ key: 'token', value: 'secret-1234' }]],
])('refuses %s in place of a named value, without showing it', (_, values) => {
  const create = () => createValueMatcher(values as never);
  expect(create).toThrow(new TypeError('Private value 1 must be { name, value } with a string as its name'));
});

describe('overlaps', () => {
  it('replaces the longest of the values that start at the same position', () => {
    expect(matcherOf('abcd', 'abcdef').replace('abcdef abcdx')).toBe('{_{v1}_} {_{v0}_}x');
    expect(matcherOf('abcdef', 'abcd').replace('abcdef')).toBe('{_{v0}_}');
  });

  it('leaves nothing of a value that begins inside another one', () => {
    expect(matcherOf('abcdef', 'defghi', 'hijk').replace('<abcdefghijk>')).toBe('<{_{v0}_}{_{v1}_}{_{v2}_}>');
  });

  it('uses the first name of equal values', () => {
    expect(matcherOf('same-value', 'same-value').replace('same-value')).toBe('{_{v0}_}');
  });
});

describe('replacements', () => {
  const values = [
    { name: 'admin', value: 'root-user' },
    { name: 'admin_password', value: 'hunter22' },
    { name: 'word', value: 'pass' },
  ];
  const matcher = createValueMatcher(values, { replacement: (name) => name });

  it('are inserted in place of the values', () => {
    expect(matcher.replace('root-user hunter22 pass')).toBe('admin admin_password word');
  });

  it('are kept by a second pass, even if they contain a value', () => {
    expect(matcher.replace('hunter22')).toBe('admin_password');
    expect(matcher.replace('admin_password')).toBe('admin_password');
    expect(matcher.replace('pass admin_passhunter22')).toBe('word admin_wordadmin_password');
  });

  it('are not kept where a longer value overlaps them', () => {
    const overlapping = createValueMatcher(
      [
        { name: 'my_token', value: 'tok' },
        { name: 'my_token', value: 'token_9f31' },
        { name: 'b', value: 'my_tok' },
      ],
      { replacement: (name) => name },
    );
    expect(overlapping.replace('my_token_9f31')).toBe('my_my_token');
  });
});

it('does not keep a replacement whose start is part of another value', () => {
  const cut = createValueMatcher(
    [
      { name: 'my_tokk', value: 'tokk' },
      { name: 'b', value: 'x_my' },
    ],
    { replacement: (name) => name },
  );
  expect(cut.replace('x_my_tokk')).toBe('b_my_tokk');
});

describe('find', () => {
  it('returns the name and position of every match, including encoded ones', () => {
    expect(matcherOf('a"bcd').find('x a\\"bcd A"BCD')).toEqual([
      { name: 'v0', start: 2, end: 8 },
      { name: 'v0', start: 9, end: 14 },
    ]);
    expect(matcherOf('a"bcd').has('x a\\"bcd')).toBe(true);
    expect(matcherOf('a"bcd').has('x a"bc')).toBe(false);
  });
});

it('walks a value with circular references once', () => {
  const pool: Record<string, unknown> = { password: 'pool-secret-1' };
  const connections = Array.from({ length: 8 }, (_, id): Record<string, unknown> => ({ id: `conn-${id}` }));
  for (const connection of connections) Object.assign(connection, { pool, others: connections });
  pool['connections'] = connections;
  const matcher = matcherOf(pool);
  expect(matcher.replace('pool-secret-1 of conn-7')).toBe('{_{v0}_} of {_{v0}_}');
});
