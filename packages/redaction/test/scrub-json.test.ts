import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createValueMatcher } from '../src/index.js';
import { canary, forms } from './forms.js';

const matcher = createValueMatcher([
  { name: 'token', value: 'sk-live-123' },
  { name: 'pin', value: 'abc' },
  { name: 'age', value: 42 },
  { name: 'account', value: 99_100_200 },
]);

describe('scrub', () => {
  it.each([
    ['a string', 'use sk-live-123', 'use {_{token}_}'],
    ['nested data', { a: [{ b: ['sk-live-123'] }] }, { a: [{ b: ['{_{token}_}'] }] }],
    ['a key', { 'x-sk-live-123': 1 }, { 'x-{_{token}_}': 1 }],
    ['a short value that is a whole string', ['abc', 'abcd'], ['{_{pin}_}', 'abcd']],
    ['a short value with white space around it', ['abc\n', ' 42 '], ['{_{pin}_}\n', ' {_{age}_} ']],
    ['a number that is a whole value', [42, 421, '42', '421'], ['{_{age}_}', 421, '{_{age}_}', '421']],
    ['a long number, as text too', [99_100_200, 'no 99100200'], ['{_{account}_}', 'no {_{account}_}']],
    ['a bigint', [99_100_200n, 1n], ['{_{account}_}', 1n]],
    ['JSON in a string', '{"a":"sk-live-123"}', '{"a":"{_{token}_}"}'],
  ])('%s', (_, value, scrubbed) => {
    expect(matcher.scrub(value)).toEqual(scrubbed);
  });

  it('does not take a short value for a key', () => {
    const value = { abc: 1 };
    expect(matcher.scrub(value)).toBe(value);
  });

  it('gives back the same value where nothing is to be hidden', () => {
    const value = { a: [1, null, true, undefined, 'text', { b: 'sk-live' }] };
    expect(matcher.scrub(value)).toBe(value);
  });

  it('does not change what it is given', () => {
    const inner = Object.freeze(['sk-live-123']);
    const value = Object.freeze({ inner });
    expect(matcher.scrub(value)).toEqual({ inner: ['{_{token}_}'] });
    expect(inner).toEqual(['sk-live-123']);
  });

  it('keeps both entries when two keys become the same', () => {
    expect(matcher.scrub({ 'sk-live-123': 1, 'SK-LIVE-123': 2, '{_{token}_}_2': 3 })).toEqual({
      '{_{token}_}': 1,
      '{_{token}_}_2': 2,
      '{_{token}_}_2_2': 3,
    });
  });

  it('keeps a cycle a cycle, without the value', () => {
    const value: Record<string, unknown> = { token: 'sk-live-123' };
    value['self'] = value;
    const scrubbed = matcher.scrub(value) as Record<string, unknown>;
    expect(scrubbed['token']).toBe('{_{token}_}');
    expect(scrubbed['self']).toBe(scrubbed);
    const clean: unknown[] = [];
    clean.push(clean);
    expect(matcher.scrub(clean)).toBe(clean);
  });

  it('lets nothing through that lies too deep to be looked at', () => {
    let value: unknown = 'sk-live-123';
    for (let i = 0; i < 5000; i += 1) value = [value];
    const text = JSON.stringify(matcher.scrub(value));
    expect(text).toContain('[too deep]');
    expect(text).not.toContain('sk-live-123');
  });

  it('looks at what JSON makes of an object', () => {
    const value = { link: new URL('https://example.com/?t=sk-live-123'), at: new Date(0) };
    expect(matcher.scrub(value)).toEqual({
      link: 'https://example.com/?t={_{token}_}',
      at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('copies a key named __proto__ as data', () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":"sk-live-123"},"a":"sk-live-123"}');
    const scrubbed = matcher.scrub(value);
    expect(JSON.stringify(scrubbed)).toBe('{"__proto__":{"polluted":"{_{token}_}"},"a":"{_{token}_}"}');
    expect(Object.getPrototypeOf(scrubbed)).toBe(Object.prototype);
  });

  it('costs nothing when no value is known', () => {
    const value = { a: 'sk-live-123' };
    expect(createValueMatcher([]).scrub(value)).toBe(value);
  });
});

describe('properties', () => {
  it('a planted value is in no string and no key of the result', () => {
    const form = fc.constantFrom(...Object.values(forms));
    fc.assert(
      fc.property(canary, form, fc.jsonValue(), fc.nat(), (value, write, around, place) => {
        fc.pre(!/^[v0-9{_}]+$/.test(value));
        const of = createValueMatcher([{ name: 'v0', value }]);
        const planted = [around, { [`k${write(value)}`]: [place, { x: write(value) }] }];
        const scrubbed = of.scrub(planted);
        for (const text of textsOf(scrubbed)) expect(of.has(text)).toBe(false);
        expect(of.scrub(scrubbed)).toBe(scrubbed);
      }),
    );
  });
});

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsOf(item)]);
}
