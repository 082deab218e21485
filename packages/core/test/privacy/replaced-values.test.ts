import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { PrivateData } from '../../src/messages/private-data.js';
import { createPrivateDataMap, listPrivateValues } from '../../src/privacy/private-data-map.js';
import { PrivateValues } from '../../src/privacy/private-values.js';

const valuesOf = (map: Record<string, unknown>) => listPrivateValues(map).map(({ value }) => value);

it('a private data map remembers the latest 64 replaced values', () => {
  const map = createPrivateDataMap({ token: new PrivateData({ value: 'v0' }), pin: 'p' });
  map['token'] = 'v1';
  map['token'] = 'v1';
  map['pin'] = 'p';
  expect(valuesOf(map)).toEqual(['v1', 'p', 'v0']);
  for (let n = 2; n <= 70; n += 1) map['token'] = `v${n}`;
  expect(valuesOf(map)).toHaveLength(66);
  expect(valuesOf(map).slice(0, 4)).toEqual(['v70', 'p', 'v6', 'v7']);
  const next = createPrivateDataMap({ other: 'o' }, map);
  expect(valuesOf(next).slice(-2)).toEqual(['v70', 'p']);
  expect(valuesOf(next)).toHaveLength(65);
});

it('a private data map remembers a deleted value', () => {
  const map = createPrivateDataMap({ token: 'deleted', pin: 'p' });
  delete map['token'];
  expect(listPrivateValues(map)).toEqual([
    { name: 'pin', value: 'p' },
    { name: 'token', value: 'deleted' },
  ]);
});

it('a value that is set again and again is remembered once, as one of the latest', () => {
  const map = createPrivateDataMap({ token: 'before' });
  for (let n = 0; n <= 70; n += 1) map['token'] = n % 2 === 0 ? 'even' : 'odd';
  expect(valuesOf(map)).toEqual(['even', 'before', 'even', 'odd']);
  for (let n = 0; n <= 63; n += 1) map['token'] = `v${n}`;
  expect(valuesOf(map).slice(1, 3)).toEqual(['even', 'v0']);
});

it('values that stay the same in a new map do not displace replaced ones', () => {
  const staying = Array.from({ length: 70 }, (_, n) => [`name-${n}`, `value-${n}`]);
  let map = createPrivateDataMap({ token: 'first' });
  for (let n = 0; n < 3; n += 1) {
    const token = new PrivateData({ value: 'second' });
    map = createPrivateDataMap({ ...Object.fromEntries(staying), token }, map);
  }
  expect(valuesOf(map).slice(70)).toEqual(['second', 'first']);
});

it('a value that moved to another name is hidden under the new name', () => {
  const map = createPrivateDataMap({ former: 'the-value' });
  delete map['former'];
  map['present'] = 'the-value';
  const values = new PrivateValues();
  values.add(listPrivateValues(map));
  expect(values.cleanText('It is the-value')).toBe('It is {_{present}_}');
});

it('replaced values are neither copied with a map nor printed', () => {
  const map = createPrivateDataMap({ token: 'first-secret' });
  map['token'] = 'second-secret';
  expect({ ...map }).toEqual({ token: 'second-secret' });
  expect(valuesOf(createPrivateDataMap({ ...map }))).toEqual(['second-secret']);
  expect(inspect(map) + JSON.stringify(map)).not.toContain('secret');
});
