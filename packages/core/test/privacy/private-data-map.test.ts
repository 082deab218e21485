import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { PrivateData } from '../../src/messages/private-data.js';
import {
  createPrivateDataMap,
  describePrivateData,
  listPrivateValues,
  listRestorers,
  readPrivateValue,
} from '../../src/privacy/private-data-map.js';

it('a map of private values shows their names, printed and as JSON', () => {
  const map = createPrivateDataMap({ card: 'tok-9f31', pin: 'pin-4711' });
  expect(inspect(map)).toBe('{ card, pin: [hidden] }');
  expect(JSON.stringify(map)).toBe('{"card":"[hidden]","pin":"[hidden]"}');
});

it('holds a value whatever its name, and no other', () => {
  const map = createPrivateDataMap(JSON.parse('{"__proto__":"the-secret"}'));
  expect(listPrivateValues(map)).toEqual([{ name: '__proto__', value: 'the-secret' }]);
  expect(readPrivateValue(map, '__proto__')).toEqual({ value: 'the-secret' });
  expect(readPrivateValue(map, 'constructor')).toBeUndefined();
  expect(listRestorers(map)[0]('{_{constructor}_}')).toBe('{_{constructor}_}');
});

it('tells of a value all that describes it', () => {
  const told = { label: 'IBAN', description: 'where the wage goes', format: 'XX00' };
  const iban = new PrivateData({ name: 'iban', value: 'DE00 1234', piiType: 'bank', ...told });
  expect(describePrivateData(createPrivateDataMap([iban]))).toEqual([
    { data_key: 'iban', pii_type: 'bank', ...told },
  ]);
});
