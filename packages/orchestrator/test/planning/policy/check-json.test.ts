import type { JsonObject } from '@svc/contracts';
import { expect, it } from 'vitest';
import { schemaProblems } from '../../../src/planning/policy/check-json.js';

const slow = { pattern: '^(a+)+$' };
const hostile = { q: `${'a'.repeat(30)}!`, const: 1 };
const behind = { properties: { q: slow } };

// Each kept an orchestrator busy for hours, and all of its projects waiting.
it.each<[string, JsonObject]>([
  ['as it is', behind],
  ['in examples', { examples: slow, properties: { q: { $ref: '#/examples' } } }],
  [
    'in an example with an address',
    { examples: { $id: 'x:a', ...slow }, properties: { q: { $ref: 'x:a' } } },
  ],
  ['in a default', { default: slow, properties: { q: { $ref: '#/default' } } }],
  ['behind a field that is called like a keyword', { dependencies: { const: behind } }],
])(
  'a pattern that stands %s is not run',
  (_, schema) => {
    expect(schemaProblems(schema, hostile)).toEqual([]);
  },
  30_000,
);

it('no items of a list are compared with one another', () => {
  const items = Array.from({ length: 50_000 }, (_, index) => ({ index }));
  expect(schemaProblems({ uniqueItems: true }, [...items, ...items])).toEqual([]);
}, 30_000);

it('a field may be called like what is not checked', () => {
  const schema = { properties: { pattern: { type: 'string' }, default: { type: 'string' } } };
  expect(schemaProblems(schema, { pattern: 1, default: 1 })).toHaveLength(2);
});
