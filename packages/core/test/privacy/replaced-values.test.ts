import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { PrivateData } from '../../src/messages/private-data.js';
import { createPrivateDataMap, listPrivateValues } from '../../src/privacy/private-data-map.js';

const valuesOf = (map: Record<string, unknown>) => listPrivateValues(map).map(({ value }) => value);

it('a map of private values remembers what was replaced, the latest sixty-four', () => {
  const map = createPrivateDataMap({ token: new PrivateData({ value: 'v0' }), pin: 'p' });
  map['token'] = 'v1';
  map['token'] = 'v1';
  map['pin'] = 'p';
  expect(valuesOf(map)).toEqual(['v0', 'v1', 'p']);
  for (let n = 2; n <= 70; n += 1) map['token'] = `v${n}`;
  expect(valuesOf(map)).toHaveLength(66);
  expect(valuesOf(map).slice(0, 2)).toEqual(['v6', 'v7']);
  const next = createPrivateDataMap({ other: 'o' }, map);
  expect(valuesOf(next).slice(-3)).toEqual(['v70', 'p', 'o']);
  expect(valuesOf(next)).toHaveLength(65);
});

it('what it remembers is in no copy of it, and printed nowhere', () => {
  const map = createPrivateDataMap({ token: 'first-secret' });
  map['token'] = 'second-secret';
  expect({ ...map }).toEqual({ token: 'second-secret' });
  expect(valuesOf(createPrivateDataMap({ ...map }))).toEqual(['second-secret']);
  expect(inspect(map) + JSON.stringify(map)).not.toContain('secret');
});
