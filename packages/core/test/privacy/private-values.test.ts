import { expect, it } from 'vitest';
import { ApiKey } from '../../src/config/api-key.js';
import { PrivateValues } from '../../src/privacy/private-values.js';

/** Follows an object; the returned function cleans a string of its values. */
function following(owner: Record<string, unknown>) {
  const values = new PrivateValues();
  values.follow(owner, () => Object.entries(owner).map(([name, value]) => ({ name, value })));
  return (text: string) => values.cleanText(text);
}

it('follows values that an owner adds, replaces or deletes, and keeps hiding the former ones', () => {
  const owner: Record<string, unknown> = { key: 'first-secret' };
  const clean = following(owner);
  expect(clean('first-secret second-secret')).toBe('{_{key}_} second-secret');
  owner['key'] = 'second-secret';
  expect(clean('first-secret second-secret third-secret')).toBe('{_{key}_} {_{key}_} third-secret');
  owner['more'] = 'third-secret';
  expect(clean('third-secret')).toBe('{_{more}_}');
  delete owner['more'];
  expect(clean('second-secret third-secret')).toBe('{_{key}_} {_{more}_}');
});

it('follows an array that is changed in place', () => {
  const list = ['first-secret'];
  const clean = following({ list });
  expect(clean('first-secret second-secret')).toBe('{_{list}_} second-secret');
  list.push('second-secret');
  expect(clean('first-secret second-secret')).toBe('{_{list}_} {_{list}_}');
});

it('lists the current values of an owner', () => {
  const owner: Record<string, unknown> = {};
  const values = new PrivateValues();
  values.follow(owner, () => Object.entries(owner).map(([name, value]) => ({ name, value })));
  owner['key'] = 'first-secret';
  expect(values.list()).toEqual([{ name: 'key', value: 'first-secret' }]);
});

it('hides a value under the name it was first added with', () => {
  const values = new PrivateValues();
  for (const name of ['first', 'second']) values.add([{ name, value: 'the-secret' }]);
  expect(values.cleanText('the-secret')).toBe('{_{first}_}');
});

it.each([
  ['sixteen-letters-', '{_{SVC_API_KEY}_}'],
  ['fifteen-letters', 'fifteen-letters'],
])('shows the API key %s as %s and does not list it', (key, expected) => {
  const values = new PrivateValues();
  values.hideKey(new ApiKey(key, 'a test'));
  expect(values.cleanText(key)).toBe(expected);
  expect(values.list()).toEqual([]);
});

it('hides an API key that is added after something was cleaned', () => {
  const values = new PrivateValues();
  values.add([{ name: 'key', value: 'the-secret' }]);
  expect(values.cleanText('the-secret')).toBe('{_{key}_}');
  values.hideKey(new ApiKey('sixteen-letters-', 'a test'));
  expect(values.cleanText('the-secret sixteen-letters-')).toBe('{_{key}_} {_{SVC_API_KEY}_}');
});

it('copies values that JSON can represent', () => {
  const values = new PrivateValues();
  values.add([{ name: 'key', value: 'the-secret' }]);
  expect(values.copy({ deep: ['the-secret'] })).toEqual({ deep: ['{_{key}_}'] });
  expect(values.copy(undefined)).toBeUndefined();
  expect(values.copy(1n)).toBe('[not serializable]');
});

it.each([
  ['a buffer', (bytes: Buffer) => bytes],
  ['a Uint8Array', (bytes: Buffer) => new Uint8Array(bytes)],
  ['an ArrayBuffer', (bytes: Buffer) => new Uint8Array(bytes).buffer],
  ['a DataView', (bytes: Buffer) => new DataView(new Uint8Array([0, ...bytes]).buffer, 1)],
])('copies %s as base64 and finds values in it', (_what, make) => {
  const values = new PrivateValues();
  values.add([{ name: 'key', value: 'the-secret' }]);
  expect(values.copy(make(Buffer.from('the-secret')))).toBe('{_{key}_}==');
  expect(values.copy({ deep: [make(Buffer.from('the text'))] })).toEqual({ deep: [btoa('the text')] });
});

it.each([
  [
    'replaces a value in a text file',
    Buffer.from('a the-secret b').toString('base64'),
    Buffer.from('a {_{key}_} b').toString('base64'),
  ],
  ['keeps a binary file unchanged', Buffer.from('\xFFthe-secret', 'latin1').toString('base64'), undefined],
  ['keeps a file without values unchanged', 'aGk', undefined],
])('cleanFile %s', (_what, file, expected = file) => {
  const values = new PrivateValues();
  values.add([{ name: 'key', value: 'the-secret' }]);
  expect(values.cleanFile(file)).toBe(expected);
});

it.each([
  ['abcdefghijkl', '{_{key}_}'],
  ['abcdefghijk', 'abcdefghijkl'],
  ['hijkl', 'abcdefghijkl'],
])('with the value %s, cleanBytes turns the base64 abcdefghijkl into %s', (value, expected) => {
  const values = new PrivateValues();
  values.add([{ name: 'key', value }]);
  expect(values.cleanBytes('abcdefghijkl')).toBe(expected);
});
