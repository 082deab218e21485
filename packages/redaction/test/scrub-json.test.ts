import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createValueMatcher } from '../src/index.js';
import { canary, forms, matcherOf } from './forms.js';

const matcher = createValueMatcher([
  { name: 'token', value: 'sk-live-123' },
  { name: 'pin', value: 'abc' },
  { name: 'age', value: 42 },
  { name: 'account', value: 99_100_200 },
]);

describe('scrub', () => {
  it.each([
    [3.25, [3.25, '3.25', 3]],
    ['-3.5', [-3.5, '-3.5', 3.5]],
    [-12, [-12, -12n, 12]],
    ['12345.75', [12_345.75, 'at 12345.75', 12_345]],
    [-(10n ** 30n), [-(10n ** 30n), `-1${'0'.repeat(30)}`, 10n ** 29n]],
    ['9'.repeat(400), [10n ** 400n - 1n, 'no '.concat('9'.repeat(400)), 9]],
  ])('hides %s as a number and as text, and no other number', (value, [number, text, other]) => {
    const valueMatcher = matcherOf(value);
    expect(valueMatcher.scrub(number)).toBe('{_{v0}_}');
    expect(valueMatcher.scrub({ text })).toEqual({ text: expect.stringMatching(/^(at |no )?\{_\{v0\}_\}$/) });
    expect(valueMatcher.scrub(other)).toBe(other);
  });

  it('does not expand replacement patterns such as $& in a name', () => {
    const valueMatcher = createValueMatcher(
      ['$&', '$`', "$'", '$1'].map((name, i) => ({ name, value: `a${i}` })),
    );
    expect(valueMatcher.scrub([' a0 ', 'a1', 'a2 ', 'a3'])).toEqual([
      ' {_{$&}_} ',
      '{_{$`}_}',
      "{_{$'}_} ",
      '{_{$1}_}',
    ]);
  });

  it.each([
    ['a value in a string', 'use sk-live-123', 'use {_{token}_}'],
    ['a value in nested data', { a: [{ b: ['sk-live-123'] }] }, { a: [{ b: ['{_{token}_}'] }] }],
    ['a value in a key', { 'x-sk-live-123': 1 }, { 'x-{_{token}_}': 1 }],
    ['a short value that is a whole string', ['abc', 'abcd'], ['{_{pin}_}', 'abcd']],
    ['a short value with white space around it', ['abc\n', ' 42 '], ['{_{pin}_}\n', ' {_{age}_} ']],
    ['a number on its own', 42, '{_{age}_}'],
    ['a boxed string or number', [Object('sk-live-123'), Object(42)], ['{_{token}_}', '{_{age}_}']],
    ['a short number only as a whole value', [42, 421, '42', '421'], ['{_{age}_}', 421, '{_{age}_}', '421']],
    ['a long number, even inside text', [99_100_200, 'no 99100200'], ['{_{account}_}', 'no {_{account}_}']],
    ['a bigint', [99_100_200n, 1n], ['{_{account}_}', 1n]],
    ['a value in JSON in a string', '{"a":"sk-live-123"}', '{"a":"{_{token}_}"}'],
  ])('replaces %s', (_, value, scrubbed) => {
    expect(matcher.scrub(value)).toEqual(scrubbed);
  });

  it('does not replace a short value that is a key', () => {
    const value = { abc: 1 };
    expect(matcher.scrub(value)).toBe(value);
  });

  it('returns the same object if there is nothing to hide', () => {
    const value = { a: [1, null, true, undefined, 'text', { b: 'sk-live' }] };
    expect(matcher.scrub(value)).toBe(value);
  });

  it('does not change its input', () => {
    const inner = Object.freeze(['sk-live-123']);
    const value = Object.freeze({ inner });
    expect(matcher.scrub(value)).toEqual({ inner: ['{_{token}_}'] });
    expect(inner).toEqual(['sk-live-123']);
  });

  it('keeps both entries when two keys become equal', () => {
    expect(matcher.scrub({ 'sk-live-123': 1, 'SK-LIVE-123': 2, '{_{token}_}_2': 3 })).toEqual({
      '{_{token}_}': 1,
      '{_{token}_}_2': 2,
      '{_{token}_}_2_2': 3,
    });
  });

  it('keeps every entry when many keys become equal', () => {
    const value = { '{_{token}_}_2': 0, 'sk-live-123': 1, 'SK-LIVE-123': 2, 'Sk-live-123': 3 };
    expect(matcher.scrub(value)).toEqual({
      '{_{token}_}_2': 0,
      '{_{token}_}': 1,
      '{_{token}_}_3': 2,
      '{_{token}_}_4': 3,
    });
  });

  it('keeps cycles in the copy, without the value', () => {
    const value: Record<string, unknown> = { token: 'sk-live-123' };
    value['self'] = value;
    const scrubbed = matcher.scrub(value) as Record<string, unknown>;
    expect(scrubbed['token']).toBe('{_{token}_}');
    expect(scrubbed['self']).toBe(scrubbed);
    const clean: unknown[] = [];
    clean.push(clean);
    expect(matcher.scrub(clean)).toBe(clean);
    const list: unknown[] = ['sk-live-123'];
    list.push(list);
    const copy = matcher.scrub(list) as unknown[];
    expect(copy).toEqual(['{_{token}_}', copy]);
    expect(copy[1]).toBe(copy);
  });

  it.each([
    ['arrays', (inner: unknown) => [inner]],
    ['objects', (inner: unknown) => ({ inner })],
    ['arrays returned by toJSON', (inner: unknown) => ({ toJSON: () => [inner] })],
  ])('scrubs data within 256 nested %s, and hides anything deeper', (_, wrap) => {
    const nested = (levels: number, text: string) => {
      let value: unknown = text;
      for (let level = 0; level < levels; level += 1) value = wrap(value);
      return value;
    };
    const scrubbed = (levels: number, text: string) => JSON.stringify(matcher.scrub(nested(levels, text)));
    expect(scrubbed(256, 'sk-live-123')).toBe(JSON.stringify(nested(256, '{_{token}_}')));
    for (const text of ['sk-live-123', 'nothing private'])
      expect(scrubbed(257, text)).toBe(JSON.stringify(nested(256, '[too deep]')));
    const [wide, clean] = [
      Array.from({ length: 300 }, () => wrap('nothing')),
      nested(256, 'nothing private'),
    ];
    expect(matcher.scrub(wide)).toBe(wide);
    expect(matcher.scrub(clean)).toBe(clean);
  });

  it('lets nothing through that is too deep to be checked', () => {
    let value: unknown = 'sk-live-123';
    for (let i = 0; i < 5000; i += 1) value = [value];
    const text = JSON.stringify(matcher.scrub(value));
    expect(text).toContain('[too deep]');
    expect(text).not.toContain('sk-live-123');
  });

  it('scrubs what toJSON returns', () => {
    const value = { link: new URL('https://example.com/?t=sk-live-123'), at: new Date(0) };
    expect(matcher.scrub(value)).toEqual({
      link: 'https://example.com/?t={_{token}_}',
      at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('scrubs an object whose toJSON returns the object itself', () => {
    class Account {
      token = 'sk-live-123';
      toJSON() {
        return this;
      }
    }
    const own: Record<string, unknown> = { token: 'sk-live-123' };
    own['toJSON'] = () => own;
    expect(JSON.stringify(matcher.scrub([new Account(), own]))).toBe(
      '[{"token":"{_{token}_}"},{"token":"{_{token}_}"}]',
    );
  });

  it('copies a key named __proto__ as plain data', () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":"sk-live-123"},"a":"sk-live-123"}');
    const scrubbed = matcher.scrub(value);
    expect(JSON.stringify(scrubbed)).toBe('{"__proto__":{"polluted":"{_{token}_}"},"a":"{_{token}_}"}');
    expect(Object.getPrototypeOf(scrubbed)).toBe(Object.prototype);
  });

  it('hides nothing for blank and NaN values', () => {
    const value = ['', ' ', 'NaN', Number.NaN];
    const known = [' ', Number.NaN].map((blank) => ({ name: 'little', value: blank }));
    expect(createValueMatcher([...known, { name: 'token', value: 'sk-live-123' }]).scrub(value)).toBe(value);
  });

  it('returns the same object if there are no values', () => {
    const value = { a: 'sk-live-123' };
    expect(createValueMatcher([]).scrub(value)).toBe(value);
  });
});

describe('properties', () => {
  it('a planted value is in no string or key of the result', () => {
    const form = fc.constantFrom(...Object.values(forms));
    fc.assert(
      fc.property(canary, form, fc.jsonValue(), fc.nat(), (value, write, around, place) => {
        fc.pre(!/^[v0-9{_}]+$/.test(value));
        const valueMatcher = createValueMatcher([{ name: 'v0', value }]);
        const planted = [around, { [`k${write(value)}`]: [place, { x: write(value) }] }];
        const scrubbed = valueMatcher.scrub(planted);
        for (const text of textsOf(scrubbed)) expect(valueMatcher.has(text)).toBe(false);
        expect(valueMatcher.scrub(scrubbed)).toBe(scrubbed);
      }),
    );
  });
});

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsOf(item)]);
}
