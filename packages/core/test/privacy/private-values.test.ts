import { expect, it } from 'vitest';
import { ApiKey } from '../../src/config/api-key.js';
import { PrivateValues } from '../../src/privacy/private-values.js';

/** Follows an object, and says what is left of a text. */
function following(owner: Record<string, unknown>) {
  const values = new PrivateValues();
  values.follow(owner, () => Object.entries(owner).map(([name, value]) => ({ name, value })));
  return (text: string) => values.cleanText(text);
}

it('follows texts that an owner adds, replaces or takes away, and forgets none that was private', () => {
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

it('follows a list that is changed in place', () => {
  const list = ['first-secret'];
  const clean = following({ list });
  expect(clean('first-secret second-secret')).toBe('{_{list}_} second-secret');
  list.push('second-secret');
  expect(clean('first-secret second-secret')).toBe('{_{list}_} {_{list}_}');
});

it('lists what an owner has now', () => {
  const owner: Record<string, unknown> = {};
  const values = new PrivateValues();
  values.follow(owner, () => Object.entries(owner).map(([name, value]) => ({ name, value })));
  owner['key'] = 'first-secret';
  expect(values.list()).toEqual([{ name: 'key', value: 'first-secret' }]);
});

it('knows a value by the name that came first', () => {
  const values = new PrivateValues();
  for (const name of ['first', 'second']) values.add([{ name, value: 'the-secret' }]);
  expect(values.cleanText('the-secret')).toBe('{_{first}_}');
});

it.each([
  ['sixteen-letters-', '{_{SVC_API_KEY}_}'],
  ['fifteen-letters', 'fifteen-letters'],
])('of an API key such as %s a text says %s, and lists none', (key, expected) => {
  const values = new PrivateValues();
  values.hideKey(new ApiKey(key, 'a test'));
  expect(values.cleanText(key)).toBe(expected);
  expect(values.list()).toEqual([]);
});

it('copies what JSON has a form for', () => {
  const values = new PrivateValues();
  values.add([{ name: 'key', value: 'the-secret' }]);
  expect(values.copy({ deep: ['the-secret'] })).toEqual({ deep: ['{_{key}_}'] });
  expect(values.copy(undefined)).toBeUndefined();
  expect(values.copy(1n)).toBe('[not serializable]');
});

it.each([
  ['a buffer', (bytes: Buffer) => bytes],
  ['a view of bytes', (bytes: Buffer) => new Uint8Array(bytes)],
  ['a buffer of another kind', (bytes: Buffer) => new Uint8Array(bytes).buffer],
  ['a view of a part', (bytes: Buffer) => new DataView(new Uint8Array([0, ...bytes]).buffer, 1)],
])('copies %s as base64, so that what it says is found', (_what, make) => {
  const values = new PrivateValues();
  values.add([{ name: 'key', value: 'the-secret' }]);
  expect(values.copy(make(Buffer.from('the-secret')))).toBe('{_{key}_}==');
  expect(values.copy({ deep: [make(Buffer.from('the text'))] })).toEqual({ deep: [btoa('the text')] });
});

it.each([
  [
    'in a text',
    Buffer.from('a the-secret b').toString('base64'),
    Buffer.from('a {_{key}_} b').toString('base64'),
  ],
  ['that is no text', Buffer.from('\xFFthe-secret', 'latin1').toString('base64'), undefined],
  ['without one, as it was given', 'aGk', undefined],
])('cleans a file of a value %s', (_what, file, expected = file) => {
  const values = new PrivateValues();
  values.add([{ name: 'key', value: 'the-secret' }]);
  expect(values.cleanFile(file)).toBe(expected);
});

it.each([
  ['abcdefghijkl', '{_{key}_}'],
  ['abcdefghijk', 'abcdefghijkl'],
])('of a value such as %s the base64 abcdefghijkl becomes %s', (value, expected) => {
  const values = new PrivateValues();
  values.add([{ name: 'key', value }]);
  expect(values.cleanBytes('abcdefghijkl')).toBe(expected);
});
