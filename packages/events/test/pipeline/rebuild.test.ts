import { expect, it } from 'vitest';
import { rebuild } from '../../src/pipeline/rebuild.js';

it.each([
  [null, 'null'],
  [[1], 'an array'],
  ['text', 'string'],
  [undefined, 'undefined'],
])('refuses %j as data, and names its type', (data, kind) => {
  expect(() => rebuild('custom', data)).toThrow(
    expect.objectContaining({
      code: 'EVENT_SCHEMA_INVALID',
      problems: [`data must be an object, got ${kind}`],
    }),
  );
});

it.each([
  [null, 'null'],
  [['final'], 'an array'],
  [5, 'number'],
])('refuses %j as a name, and names its type', (name, kind) => {
  const error = new TypeError(`eventName must be a string, got ${kind}`);
  expect(() => rebuild(name as never, {})).toThrow(error);
});

it('makes a name well-formed, so that the frame and its envelope have the same', () => {
  expect(rebuild('order\ud800', {}).type).toBe('order\ufffd');
});
