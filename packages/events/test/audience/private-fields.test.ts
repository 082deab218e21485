import { describe, expect, it } from 'vitest';
import { hidePrivateFields } from '../../src/audience/private-fields.js';

const hidden = (field: string, value: unknown) => hidePrivateFields({ [field]: value })[field];

describe.each(['private_data_injected', 'interrupt_data_injected'])('%s', (field) => {
  it.each<[unknown, unknown]>([
    [{ ssn: '123', card: { deep: 1 } }, ['ssn', 'card']],
    [
      ['ssn', 'card'],
      ['ssn', 'card'],
    ],
    [
      ['ssn', 5, null, ['x'], { card: '4111' }],
      ['ssn', 'card'],
    ],
    [null, []],
    [undefined, []],
    ['4111', ['str']],
    [5, ['int']],
    [5.5, ['float']],
    [true, ['bool']],
  ])('%j becomes the names %j', (value, expected) => {
    expect(hidden(field, value)).toEqual(expected);
  });
});

describe.each(['added_private_data', 'merged_private_data'])('%s', (field) => {
  it.each<[unknown, unknown]>([
    [
      { a: 1, b: { deep: 2 } },
      { a: '<redacted>', b: '<redacted>' },
    ],
    [{}, {}],
    ['text', '<redacted>'],
    [['a'], '<redacted>'],
    [null, null],
  ])('%j becomes %j', (value, expected) => {
    expect(hidden(field, value)).toEqual(expected);
  });
});

describe.each(['matched_known_pii_values', 'unmatched_known_pii_values'])('%s', (field) => {
  it.each<[unknown, unknown]>([
    [
      ['alice', 'bob'],
      ['<redacted>', '<redacted>'],
    ],
    [[], []],
    ['alice', ['<redacted>']],
    [{ a: 1 }, ['<redacted>']],
    [null, null],
  ])('%j becomes %j', (value, expected) => {
    expect(hidden(field, value)).toEqual(expected);
  });
});

describe('hidePrivateFields', () => {
  it('reaches every depth, in objects and arrays, and keeps everything else', () => {
    const data = {
      list: [[{ x: { private_data_injected: { a: 1 } } }], 'text'],
      inserted_keys: ['k'],
      count: 2,
    };
    expect(hidePrivateFields(data)).toEqual({
      list: [[{ x: { private_data_injected: ['a'] } }], 'text'],
      inserted_keys: ['k'],
      count: 2,
    });
    expect(data.list[0]).toEqual([{ x: { private_data_injected: { a: 1 } } }]);
  });

  it('returns the same object if there is nothing to hide', () => {
    const data = { a: [{ b: 1 }], private_data_injected: ['names'], added_private_data: { k: '<redacted>' } };
    expect(hidePrivateFields(data)).toBe(data);
  });

  it.each([true, false])(
    'hides fields of an object shared by a flat field and a descriptor (flat field first: %s)',
    (isFlatFirst) => {
      const args = { q: 1, private_data_injected: { a: 1 } };
      const tool = { args, other: args };
      const result = hidePrivateFields(isFlatFirst ? { args, tool } : { tool, args });
      expect(result).toEqual({
        args: { q: 1, private_data_injected: ['a'] },
        tool: { args: { q: 1, private_data_injected: ['a'] }, other: { q: 1, private_data_injected: ['a'] } },
      });
    },
  );

  it('keeps an object shared that a flat field and a descriptor share, so that it is serialized once', () => {
    const result = { private_data_injected: { a: 1 } };
    const data = hidePrivateFields({ result, tool: { result } });
    expect(data.result).toEqual({ private_data_injected: ['a'] });
    expect(Object(data.tool).result).toBe(data.result);
  });

  it('hides fields below an own key __proto__ without changing a prototype', () => {
    const data = JSON.parse('{"__proto__":{"private_data_injected":{"a":1}},"b":1}');
    const result = hidePrivateFields(data);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"private_data_injected":["a"]},"b":1}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
});

it('takes no longer per object in data with thousands of them', () => {
  const cpuOf = (count: number) => {
    const data = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, { a: {} }]));
    const start = process.cpuUsage();
    hidePrivateFields(data);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  // The minimum of three, because a busy machine slows some of them down.
  const leastCpuOf = (count: number) => Math.min(cpuOf(count), cpuOf(count), cpuOf(count));
  leastCpuOf(1_000);
  // Sixteen times as many objects would take 256 times the work if each were looked up among all others.
  expect(leastCpuOf(32_000)).toBeLessThan(Math.max(leastCpuOf(2_000), 5_000) * 30);
});
