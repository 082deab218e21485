import type { JsonValue } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { valuesFromResult } from '../../../../src/planning/offline/fill/from-results.js';
import { argumentsOf } from '../../../../src/planning/offline/tools/tool-profile.js';

function values(result: JsonValue, name: string, type = 'string', fit?: 'loose') {
  const [argument] = argumentsOf({ properties: { [name]: { type } } });
  if (!argument) throw new Error('no argument');
  return valuesFromResult(result, argument, fit);
}

describe('valuesFromResult', () => {
  it.each<[string, JsonValue, string, JsonValue[]]>([
    ['a field of the same name', { customer_id: 'c-1' }, 'customer_id', ['c-1']],
    ['a field of the same name in another spelling', { customerId: 'c-1' }, 'customer_id', ['c-1']],
    [
      'an id inside the objects that it identifies',
      { customers: [{ id: 'c-1' }, { id: 'c-2' }] },
      'customer_id',
      ['c-1', 'c-2'],
    ],
    ['no id of another kind of object', { invoices: [{ id: 'i-1' }] }, 'customer_id', []],
    ['a path by its role', { matches: [{ file: 'a.ts' }, { file: 'b.ts' }] }, 'path', ['a.ts', 'b.ts']],
    ['each value once', [{ path: 'a' }, { path: 'a' }], 'path', ['a']],
    ['a list of plain values', ['a', 'b'], 'path', ['a', 'b']],
    ['a plain value', 'a', 'path', ['a']],
    ['no value of another type', { path: 3 }, 'path', []],
  ])('finds %s', (_case, result, name, expected) => {
    expect(values(result, name)).toEqual(expected);
  });

  it('matches part of a name only in loose mode', () => {
    expect(values({ lines: 5 }, 'total_lines', 'integer')).toEqual([]);
    expect(values({ lines: 5 }, 'total_lines', 'integer', 'loose')).toEqual([5]);
  });

  it('searches only a limited part of a large result', () => {
    const large = Array.from({ length: 50_000 }, (_, index) => ({ other: index }));
    expect(values([...large, { path: 'late' }], 'path')).toEqual([]);
  });

  it('reads a bounded part of a large result', () => {
    let reads = 0;
    const get = (target: object, key: string) => {
      reads += 1;
      return Reflect.get(target, key);
    };
    const fields = Array.from({ length: 10_000 }, (_, i) => [`field_${i}`, i]);
    expect(values(new Proxy(Object.fromEntries(fields), { get }), 'customer_id')).toEqual([]);
    expect(reads).toBeLessThan(2_500);
  });
});
