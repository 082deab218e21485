import { describe, expect, it } from 'vitest';
import { lookOver, toPlainData } from '../../src/pipeline/plain-data.js';

const plainOf = (value: unknown) => toPlainData({ value }).value;

describe('what JSON cannot say by itself', () => {
  class Money {
    readonly amount = 3;
    readonly #secret = 4;
    get secret() {
      return this.#secret;
    }
  }

  it.each<[string, unknown, unknown]>([
    ['a date is ISO text', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date is null', new Date(Number.NaN), null],
    ['a big integer is decimal text', 2n ** 70n, '1180591620717411303424'],
    ['a text in an object of its own is that text', Object('x'), 'x'],
    ['so is a number', Object(1), 1],
    ['and a truth', Object(false), false],
    ['a set is a sorted list', new Set(['b', 'a', 2, 10]), [2, 10, 'a', 'b']],
    ['a set of numbers is sorted by value', new Set([10, 9, 1]), [1, 9, 10]],
    [
      'a map is an object',
      new Map<unknown, unknown>([
        ['a', 1n],
        [2, 'b'],
      ]),
      { a: '1', 2: 'b' },
    ],
    ['bytes are UTF-8 text, with replacement', new Uint8Array([0xc3, 0xbc, 0xff]), 'ü\uFFFD'],
    ['a buffer is text too', Buffer.from('ü'), 'ü'],
    [
      'an error is its name and message',
      new RangeError('too far'),
      { name: 'RangeError', message: 'too far' },
    ],
    ['an instance is its own fields', new Money(), { amount: 3 }],
    ['what says itself what it is, is that', { toJSON: () => ({ a: 1n }) }, { a: '1' }],
    ['functions and symbols are left out of objects', { a: () => 1, b: Symbol('b'), c: 1 }, { c: 1 }],
    ['and are null in lists', [() => 1, undefined, 1], [null, null, 1]],
  ])('%s', (_, value, expected) => {
    expect(lookOver({ deep: [{ value }] }).isPlain).toBe(isPlainFunctionHolder(value));
    expect(plainOf(value)).toEqual(expected);
  });

  it('keeps an own key __proto__ and touches no prototype', () => {
    const plain = toPlainData(JSON.parse('{"a":{"__proto__":{"polluted":true}},"date":1}'));
    expect(JSON.stringify(plain)).toBe('{"a":{"__proto__":{"polluted":true}},"date":1}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('refuses data that contains itself, but not what only stands in it twice', () => {
    const loop: Record<string, unknown> = { a: 1 };
    loop.self = [loop];
    expect(lookOver(loop).isPlain).toBe(false);
    expect(() => toPlainData(loop)).toThrow('contains itself');
    const shared = { n: 1n };
    expect(toPlainData({ a: shared, b: [shared] })).toEqual({ a: { n: '1' }, b: [{ n: '1' }] });
  });
});

/** JSON itself leaves functions and symbols out, so they need no conversion. */
function isPlainFunctionHolder(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && 'b' in value);
}

describe('a look over a payload', () => {
  it('finds plain data plain, at any depth that people use', () => {
    expect(
      lookOver({ a: [1, 'x', null, { b: [true, undefined, Number.NaN] }], c: Object.create(null) }),
    ).toMatchObject({
      isPlain: true,
      hasReservedKey: false,
    });
  });

  it.each(['{"__proto__":1}', '{"a":[{"constructor":1}]}', '{"a":{"b":{"__class__":null}}}'])(
    'sees the reserved key in %s',
    (json) => {
      expect(lookOver(JSON.parse(json)).hasReservedKey).toBe(true);
    },
  );

  it.each(['tool', 'assignment', 'output', 'other'])('sees what is not plain under %s', (name) => {
    for (const value of [1n, [1n], { args: 1n }, { args: [new Date()] }, new Date()]) {
      expect(lookOver({ [name]: value }).isPlain).toBe(false);
    }
    const shared = { at: new Date() };
    expect(lookOver({ [name]: { args: shared }, args: shared }).isPlain).toBe(false);
  });

  it('sees loops through what stands flat and in descriptors', () => {
    const args: Record<string, unknown> = {};
    const tool = { args };
    args.tool = tool;
    expect(lookOver({ args, tool }).isPlain).toBe(false);
    const result: Record<string, unknown> = { args };
    args.result = result;
    expect(lookOver({ args, result }).isPlain).toBe(false);
  });

  it('sees the reserved key in what stands flat and in a descriptor', () => {
    const args = JSON.parse('{"constructor":1}');
    expect(lookOver({ tool: { args }, args }).hasReservedKey).toBe(true);
  });
});
