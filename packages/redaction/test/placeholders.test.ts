import { describe, expect, it } from 'vitest';
import { placeholder, resolvePlaceholders } from '../src/index.js';

const values: Record<string, unknown> = {
  token: 'tok_9',
  age: 42,
  order: { id: 1 },
  'odd name': 'x',
  empty: null,
};
const resolve = (value: unknown) => resolvePlaceholders(value, (name) => values[name]);

it('a placeholder holds the name', () => {
  expect(placeholder('token')).toBe('{_{token}_}');
});

describe('values come back', () => {
  it.each([
    ['in a text', 'use {_{token}_}, not {_{age}_}', 'use tok_9, not 42'],
    ['from the older spelling', 'use {_token_}', 'use tok_9'],
    ['as they are where a text is one placeholder', '{_{order}_}', { id: 1 }],
    ['as they are, from the older spelling', '{_age_}', 42],
    ['as JSON inside a text', 'order {_{order}_}', 'order {"id":1}'],
    ['at any depth', { a: [{ b: '{_{age}_}' }] }, { a: [{ b: 42 }] }],
    ['with spaces in their name', '{_{odd name}_}', 'x'],
    ['side by side', '{_{token}_}{_{token}_}', 'tok_9tok_9'],
  ])('%s', (_, given, resolved) => {
    expect(resolve(given)).toEqual(resolved);
  });
});

it.each([
  ['lists', (inner: unknown) => [inner]],
  ['objects', (inner: unknown) => ({ inner })],
])('values come back within 256 %s, and in nothing deeper', (_, wrap) => {
  const nested = (levels: number, text: unknown) => {
    let value = text;
    for (let level = 0; level < levels; level += 1) value = wrap(value);
    return value;
  };
  expect(resolve(nested(256, '{_{age}_}'))).toEqual(nested(256, 42));
  expect(resolve(nested(257, '{_{age}_}'))).toEqual(nested(257, '{_{age}_}'));
});

describe('stays as it is', () => {
  it.each([
    ['an unknown name', '{_{other}_} {_other_}'],
    ['an unknown name alone', '{_{other}_}'],
    ['a name without a value alone', '{_empty_}'],
    ['a name without a value', 'a {_{empty}_}'],
    ['no placeholder', '{token} {{token}} _{token}_ {_{token}} {_}_}'],
    ['a key', { '{_{token}_}': 1 }],
    ['other data', [1, null, true]],
  ])('%s', (_, given) => {
    expect(resolve(given)).toEqual(given);
  });

  it('a value that looks like a placeholder itself', () => {
    expect(resolvePlaceholders('a {_{x}_}', () => '{_{y}_}')).toBe('a {_{y}_}');
  });

  it('what it is given', () => {
    const given = Object.freeze({ a: Object.freeze(['{_{age}_}']) });
    expect(resolve(given)).toEqual({ a: [42] });
  });

  it('a key named __proto__, as data', () => {
    const resolved = resolve(JSON.parse('{"__proto__":"{_{token}_}"}'));
    expect(JSON.stringify(resolved)).toBe('{"__proto__":"tok_9"}');
  });
});
