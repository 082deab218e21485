import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { serializeResult } from '../../../src/tools/execution/serialize-result.js';

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

class Vault {
  readonly #pin = 4711;

  get pin(): number {
    return this.#pin;
  }
}

class Named {
  readonly [Symbol.toStringTag] = 'Named';
  x = 1;
}

describe('serializeResult', () => {
  it.each<[string, unknown, unknown]>([
    ['undefined as null', undefined, null],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    [
      'an instance',
      new (class Point {
        x = 1;
      })(),
      { x: 1 },
    ],
    [
      'a nested error as its name and message',
      { error: new TypeError('x') },
      { error: { name: 'TypeError', message: 'x' } },
    ],
    ['NaN and Infinity as null', [Number.NaN, Number.POSITIVE_INFINITY], [null, null]],
    ['an object with toJSON', { toJSON: () => 'own' }, 'own'],
    ['an object without its undefined fields', { a: undefined, b: 1 }, { b: 1 }],
    ['data that looks like a buffer', { type: 'Buffer', data: [1] }, { type: 'Buffer', data: [1] }],
    [
      'an object whose toJSON looks like a buffer',
      { toJSON: () => ({ type: 'Buffer' }) },
      { type: 'Buffer' },
    ],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['an instance with a toStringTag', new Named(), { x: 1 }],
    ['objects without fields', [{}, Object.create(null), runInNewContext('({})')], [{}, {}, {}]],
    [
      'an error from another realm',
      runInNewContext('new RangeError("far")'),
      { name: 'RangeError', message: 'far' },
    ],
    ['boxed values', [new String('x'), new Number(1), new Boolean(false)], ['x', 1, false]],
  ])('serializes %s', (_name, value, expected) => {
    expect(serializeResult(value, 't', 1000)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['a bigint', { n: 1n }],
    ['a cycle', cycle],
    ['a function', () => {}],
    ['a nested symbol', [Symbol('x')]],
    ['a map', new Map()],
    ['a set', { s: new Set() }],
    ['bytes', new Uint8Array(2)],
    ['a buffer, despite its toJSON', { file: Buffer.from('x') }],
    ['a regular expression', { pattern: /x/ }],
    ['headers', new Headers({ a: 'b' })],
    ['a response', new Response('x')],
    ['a generator', (function* () {})()],
    ['a promise', { p: Promise.resolve() }],
    ['an instance with only private fields', { pin: new Vault() }],
    [
      'a getter that throws',
      {
        get x() {
          throw new Error('no');
        },
      },
    ],
  ])('refuses %s', (_name, value) => {
    expect(() => serializeResult(value, 'my_tool', 1000)).toThrow(
      expect.objectContaining({
        code: 'TOOL_RESULT_NOT_SERIALIZABLE',
        message: expect.stringContaining('my_tool'),
      }),
    );
  });

  it.each<[string, unknown]>([
    ['Vault', new Vault()],
    ['object', Object.create(Object.create(Object.create(null)))],
  ])('says how to fix an instance without own fields: %s', (name, value) => {
    expect(() => serializeResult(value, 't', 1000)).toThrow(
      `it contains a '${name}' without own fields; add a toJSON method, or return a plain object.`,
    );
  });

  it('refuses a result over the limit, counting bytes rather than characters', () => {
    expect(serializeResult('é', 't', 4)).toBe('é');
    expect(() => serializeResult('é', 't', 3)).toThrow(
      expect.objectContaining({ code: 'TOOL_RESULT_TOO_LARGE' }),
    );
  });

  it('reports the size of a result that is too large', () => {
    expect(() => serializeResult('x'.repeat(100), 't', 50)).toThrow(
      expect.objectContaining({ code: 'TOOL_RESULT_TOO_LARGE', details: { size: 102, max_bytes: 50 } }),
    );
  });
});
