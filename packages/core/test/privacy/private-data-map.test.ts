import { deepEqual } from 'node:assert/strict';
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

it('a private data map shows only names when it is printed or serialized', () => {
  const map = createPrivateDataMap({ card: 'tok-9f31', pin: 'pin-4711' });
  expect(inspect(map)).toBe('{ card, pin: [hidden] }');
  expect(JSON.stringify(map)).toBe('{"card":"[hidden]","pin":"[hidden]"}');
});

it('a private data map shows no value in console.dir and in failed assertions', () => {
  const map = createPrivateDataMap({ card: 'tok-9f31' });
  map['pin'] = 'pin-4711';
  // As console.dir and assert print it.
  expect(inspect(map, { customInspect: false })).not.toMatch(/9f31|4711/);
  expect(printed(() => deepEqual(map, {}))).not.toMatch(/9f31|4711/);
});

it.each<[string, (map: object) => object]>([
  ['new', (map) => map],
  ['sealed', Object.seal],
  ['frozen', Object.freeze],
])('a %s private data map has the values like any object', (_what, change) => {
  const map = createPrivateDataMap({ card: 'tok-9f31', pin: '' });
  map['pin'] = 'pin-4711';
  change(map);
  expect({ ...map }).toEqual({ card: 'tok-9f31', pin: 'pin-4711' });
  expect(Object.keys(map)).toEqual(['card', 'pin']);
  expect(JSON.stringify(map)).toBe('{"card":"[hidden]","pin":"[hidden]"}');
  if (!Object.isFrozen(map)) map['pin'] = 'pin-4712';
  expect(map['pin']).toMatch(/^pin-471/);
});

it('a private data map can contain a value named __proto__ and has no inherited ones', () => {
  const map = createPrivateDataMap(JSON.parse('{"__proto__":"the-secret"}'));
  expect(listPrivateValues(map)).toEqual([{ name: '__proto__', value: 'the-secret' }]);
  expect(readPrivateValue(map, '__proto__')).toEqual({ value: 'the-secret' });
  expect(readPrivateValue(map, 'constructor')).toBeUndefined();
  expect(listRestorers(map)[0]('{_{constructor}_}')).toBe('{_{constructor}_}');
});

it('describePrivateData lists all descriptive fields of a value', () => {
  const fields = { label: 'IBAN', description: 'where the wage goes', format: 'XX00' };
  const iban = new PrivateData({ name: 'iban', value: 'DE00 1234', piiType: 'bank', ...fields });
  expect(describePrivateData(createPrivateDataMap([iban]))).toEqual([
    { data_key: 'iban', pii_type: 'bank', ...fields },
  ]);
});

describe('a value that cannot be read', () => {
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
    ['a toJSON that throws', () => createPrivateDataMap({ card: asJson }), 'card'],
    ['a described value', () => createPrivateDataMap([new PrivateData({ name: 'd', value: getter })]), 'd'],
    ['a value that is set later', () => (createPrivateDataMap()['card'] = getter), 'card'],
    [
      'a getter that is defined later',
      () => Object.defineProperty(createPrivateDataMap(), 'late', { get: () => 'the-value' }),
      'late',
    ],
  ])('is refused without the error it threw: %s', (_what, hold, name) => {
    expect(hold).toThrow(refused(name));
    expect(printed(hold)).not.toContain('pin-4711');
  });

  it.each<[string, unknown]>([
    ['a field', { mail: new PrivateData({ value: 'pin-4711' }) }],
    ['a map', new Map([['mail', [new PrivateData({ value: 'pin-4711' })]]])],
    ['another one', new PrivateData({ value: new PrivateData({ value: 'pin-4711' }) })],
  ])('is refused if it is a PrivateData in %s', (_what, customer) => {
    const hold = () => createPrivateDataMap({ customer });
    expect(hold).toThrow(refused('customer'));
    expect(printed(hold)).not.toContain('pin-4711');
  });

  it('does not replace the stored value', () => {
    const map = createPrivateDataMap({ card: 'tok-9f31' });
    expect(() => (map['card'] = getter)).toThrow(refused('card'));
    expect(listPrivateValues(map)).toEqual([{ name: 'card', value: 'tok-9f31' }]);
  });
});

/** The thrown error with all its causes, as it is printed. */
function printed(act: () => unknown): string {
  try {
    return inspect(act());
  } catch (error) {
    return inspect(error);
  }
}
