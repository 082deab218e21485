import { describe, expect, it } from 'vitest';
import { inspectPayload, toPlainData } from '../../src/pipeline/plain-data.js';

const plainOf = (value: unknown) => toPlainData({ value }).value;

describe('toPlainData', () => {
  class Money {
    readonly amount = 3;
    readonly #secret = 4;
    get secret() {
      return this.#secret;
    }
  }

  it.each<[string, unknown, unknown]>([
    ['a date becomes an ISO string', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date becomes null', new Date(Number.NaN), null],
    ['a big integer becomes a decimal string', 2n ** 70n, '1180591620717411303424'],
    ['a String object becomes its string', Object('x'), 'x'],
    ['a Number object becomes its number', Object(1), 1],
    ['a Boolean object becomes its boolean', Object(false), false],
    ['a set becomes a sorted array', new Set(['b', 'a', 2, 10]), [2, 10, 'a', 'b']],
    ['a set of numbers is sorted by value', new Set([10, 9, 1]), [1, 9, 10]],
    [
      'a map becomes an object',
      new Map<unknown, unknown>([
        ['a', 1n],
        [2, 'b'],
      ]),
      { a: '1', 2: 'b' },
    ],
    [
      'bytes become a UTF-8 string, with replacement characters',
      new Uint8Array([0xc3, 0xbc, 0xff]),
      'ü\uFFFD',
    ],
    ['a buffer becomes a string too', Buffer.from('ü'), 'ü'],
    [
      'an error becomes its name and message',
      new RangeError('too far'),
      { name: 'RangeError', message: 'too far' },
    ],
    ['an instance becomes its own fields', new Money(), { amount: 3 }],
    ['an object with toJSON becomes its result', { toJSON: () => ({ a: 1n }) }, { a: '1' }],
    ['functions and symbols are left out of objects', { a: () => 1, b: Symbol('b'), c: 1 }, { c: 1 }],
    ['functions and undefined become null in arrays', [() => 1, undefined, 1], [null, null, 1]],
  ])('%s', (_, value, expected) => {
    expect(inspectPayload({ deep: [{ value }] }).isPlain).toBe(needsNoConversion(value));
    expect(plainOf(value)).toEqual(expected);
  });

  it('keeps an own key __proto__ and changes no prototype', () => {
    const plain = toPlainData(JSON.parse('{"a":{"__proto__":{"polluted":true}},"date":1}'));
    expect(JSON.stringify(plain)).toBe('{"a":{"__proto__":{"polluted":true}},"date":1}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('refuses circular data, but not an object that occurs twice', () => {
    const loop: Record<string, unknown> = { a: 1 };
    loop.self = [loop];
    expect(inspectPayload(loop).isPlain).toBe(false);
    expect(() => toPlainData(loop)).toThrow('contains itself');
    const shared = { n: 1n };
    expect(toPlainData({ a: shared, b: [shared] })).toEqual({ a: { n: '1' }, b: [{ n: '1' }] });
  });
});

/** JSON itself leaves functions and symbols out, so they need no conversion. */
function needsNoConversion(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && 'b' in value);
}

describe('inspectPayload', () => {
  it('recognizes nested plain data', () => {
    expect(
      inspectPayload({ a: [1, 'x', null, { b: [true, undefined, Number.NaN] }], c: Object.create(null) }),
    ).toMatchObject({
      isPlain: true,
      hasReservedKey: false,
    });
  });

  it.each(['{"__proto__":1}', '{"a":[{"constructor":1}]}', '{"a":{"b":{"__class__":null}}}'])(
    'finds the reserved key in %s',
    (json) => {
      expect(inspectPayload(JSON.parse(json)).hasReservedKey).toBe(true);
    },
  );

  it.each(['tool', 'assignment', 'output', 'other'])('finds values that are not plain under %s', (name) => {
    for (const value of [1n, [1n], { args: 1n }, { args: [new Date()] }, new Date()]) {
      expect(inspectPayload({ [name]: value }).isPlain).toBe(false);
    }
    const shared = { at: new Date() };
    expect(inspectPayload({ [name]: { args: shared }, args: shared }).isPlain).toBe(false);
  });

  it('finds cycles through values shared by flat fields and descriptors', () => {
    const args: Record<string, unknown> = {};
    const tool = { args };
    args.tool = tool;
    expect(inspectPayload({ args, tool }).isPlain).toBe(false);
    const result: Record<string, unknown> = { args };
    args.result = result;
    expect(inspectPayload({ args, result }).isPlain).toBe(false);
  });

  it('finds the reserved key in a value shared by a flat field and a descriptor', () => {
    const args = JSON.parse('{"constructor":1}');
    expect(inspectPayload({ tool: { args }, args }).hasReservedKey).toBe(true);
  });
});
