import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
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

describe('what cannot be read could not be hidden, and is refused without what it threw', () => {
  const getter = {
    get pin(): string {
      throw new Error('it is pin-4711');
    },
  };
  const asJson = {
    toJSON() {
      throw new Error('it is pin-4711');
    },
  };
  const refused = (name: string) =>
    expect.objectContaining({
      code: 'CONFIG_INVALID_OPTION',
      message: expect.stringContaining(`'${name}'`),
    });

  it.each<[string, () => unknown, string]>([
    ['a getter', () => createPrivateDataMap(getter), 'pin'],
    ['a getter in a value', () => createPrivateDataMap({ card: [getter] }), 'card'],
    ['what JSON asks for', () => createPrivateDataMap({ card: asJson }), 'card'],
    ['a described value', () => createPrivateDataMap([new PrivateData({ name: 'd', value: getter })]), 'd'],
    ['one that is set later', () => (createPrivateDataMap()['card'] = getter), 'card'],
    [
      'a getter that is defined later',
      () => Object.defineProperty(createPrivateDataMap(), 'late', { get: () => 'the-value' }),
      'late',
    ],
  ])('%s', (_what, hold, name) => {
    expect(hold).toThrow(refused(name));
    expect(printed(hold)).not.toContain('pin-4711');
  });

  it('leaves what was held', () => {
    const map = createPrivateDataMap({ card: 'tok-9f31' });
    expect(() => (map['card'] = getter)).toThrow(refused('card'));
    expect(listPrivateValues(map)).toEqual([{ name: 'card', value: 'tok-9f31' }]);
  });
});

/** What is thrown, with all its causes. */
function printed(act: () => unknown): string {
  try {
    return inspect(act());
  } catch (error) {
    return inspect(error);
  }
}
