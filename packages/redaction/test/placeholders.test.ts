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

it('placeholder wraps a name in the placeholder syntax', () => {
  expect(placeholder('token')).toBe('{_{token}_}');
});

describe('placeholders are resolved', () => {
  it.each([
    ['inside a longer string', 'use {_{token}_}, not {_{age}_}', 'use tok_9, not 42'],
    ['in the older spelling', 'use {_token_}', 'use tok_9'],
    ['to the value itself if the string is exactly one placeholder', '{_{order}_}', { id: 1 }],
    ['to the value itself in the older spelling', '{_age_}', 42],
    ['to JSON inside a longer string', 'order {_{order}_}', 'order {"id":1}'],
    ['at any depth', { a: [{ b: '{_{age}_}' }] }, { a: [{ b: 42 }] }],
    ['with spaces in the name', '{_{odd name}_}', 'x'],
    ['side by side', '{_{token}_}{_{token}_}', 'tok_9tok_9'],
  ])('%s', (_, given, resolved) => {
    expect(resolve(given)).toEqual(resolved);
  });
});

it.each([
  ['arrays', (inner: unknown) => [inner]],
  ['objects', (inner: unknown) => ({ inner })],
])('resolves placeholders within 256 nested %s, and not deeper', (_, wrap) => {
  const nested = (levels: number, text: unknown) => {
    let value = text;
    for (let level = 0; level < levels; level += 1) value = wrap(value);
    return value;
  };
  expect(resolve(nested(256, '{_{age}_}'))).toEqual(nested(256, 42));
  expect(resolve(nested(257, '{_{age}_}'))).toEqual(nested(257, '{_{age}_}'));
});

describe('resolvePlaceholders leaves unchanged', () => {
  it.each([
    ['an unknown name', '{_{other}_} {_other_}'],
    ['an unknown name that is the whole string', '{_{other}_}'],
    ['a name without a value that is the whole string', '{_empty_}'],
    ['a name without a value', 'a {_{empty}_}'],
    ['text that only resembles a placeholder', '{token} {{token}} _{token}_ {_{token}} {_}_}'],
    ['an object key', { '{_{token}_}': 1 }],
    ['data without strings', [1, null, true]],
  ])('%s', (_, given) => {
    expect(resolve(given)).toEqual(given);
  });

  it('a resolved value that looks like a placeholder', () => {
    expect(resolvePlaceholders('a {_{x}_}', () => '{_{y}_}')).toBe('a {_{y}_}');
  });

  it('its input', () => {
    const given = Object.freeze({ a: Object.freeze(['{_{age}_}']) });
    expect(resolve(given)).toEqual({ a: [42] });
  });

  it('a key named __proto__, which stays plain data', () => {
    const resolved = resolve(JSON.parse('{"__proto__":"{_{token}_}"}'));
    expect(JSON.stringify(resolved)).toBe('{"__proto__":"tok_9"}');
  });
});
