import type { JsonObject } from '@svc/contracts';
import { expect, it } from 'vitest';
import { fillableProblems, schemaProblems } from '../../../src/planning/policy/check-json.js';

const slow = { pattern: '^(a+)+$' };
const hostile = { q: `${'a'.repeat(30)}!`, const: 1 };
const behind = { properties: { q: slow } };

// Each of these once blocked an orchestrator for hours.
it.each<[string, JsonObject]>([
  ['of a property', behind],
  ['in examples', { examples: slow, properties: { q: { $ref: '#/examples' } } }],
  ['in an example with an $id', { examples: { $id: 'x:a', ...slow }, properties: { q: { $ref: 'x:a' } } }],
  ['in a default', { default: slow, properties: { q: { $ref: '#/default' } } }],
  ['behind a field named like a keyword', { dependencies: { const: behind } }],
])(
  'does not run a pattern %s',
  (_, schema) => {
    expect(schemaProblems(schema, hostile)).toEqual([]);
  },
  30_000,
);

it('does not compare the items of a list for uniqueItems', () => {
  const items = Array.from({ length: 50_000 }, (_, index) => ({ index }));
  expect(schemaProblems({ uniqueItems: true }, [...items, ...items])).toEqual([]);
}, 30_000);

const twice = ($ref: string) => ({ allOf: [{ $ref }, { $ref }] });
let list: JsonObject = { text: 1 };
for (let depth = 0; depth < 24; depth += 1) list = { next: list };

it.each<[string, JsonObject, JsonObject]>([
  [
    'each lead to two others',
    {
      $defs: Object.fromEntries(
        Array.from({ length: 25 }, (_, index) => [index, index < 24 ? twice(`#/$defs/${index + 1}`) : {}]),
      ),
      $ref: '#/$defs/0',
    },
    {},
  ],
  ['lead to themselves twice, for a deep value', { properties: { next: twice('#') } }, list],
  [
    'lead to themselves twice by $recursiveRef',
    {
      $recursiveAnchor: true,
      properties: { next: { allOf: [{ $recursiveRef: '#' }, { $recursiveRef: '#' }] } },
    },
    list,
  ],
])(
  'stops following references that %s',
  (_, schema, value) => {
    expect(schemaProblems(schema, value)).toEqual([]);
  },
  30_000,
);

it('follows references for every item of a long list, on every check', () => {
  const schema = { $defs: { text: { type: 'string' } }, items: { $ref: '#/$defs/text' } };
  const texts = Array.from({ length: 60_000 }, () => 'a');
  for (let time = 0; time < 3; time += 1) expect(schemaProblems(schema, [...texts, 1])).toHaveLength(1);
});

it('follows endless references only once, not for every value, and still follows others', () => {
  const schema = {
    $defs: {
      text: { type: 'string' },
      ...Object.fromEntries(
        Array.from({ length: 25 }, (_, index) => [index, index < 24 ? twice(`#/$defs/${index + 1}`) : {}]),
      ),
    },
    properties: { endless: { $ref: '#/$defs/0' }, text: { $ref: '#/$defs/text' } },
  };
  for (let time = 0; time < 500; time += 1) expect(schemaProblems(schema, { endless: time })).toEqual([]);
  expect(schemaProblems(schema, { text: 1 })).toHaveLength(1);
}, 30_000);

it('checks a field that is named like an unchecked keyword', () => {
  const schema = { properties: { pattern: { type: 'string' }, default: { type: 'string' } } };
  expect(schemaProblems(schema, { pattern: 1, default: 1 })).toHaveLength(2);
});

it.each<JsonObject>([{ enum: [{ pattern: 'a' }] }, { const: { pattern: 'a' } }])(
  'checks a value with a field named like an unchecked keyword: %j',
  (schema) => {
    expect(schemaProblems(schema, { pattern: 'a' })).toEqual([]);
    expect(schemaProblems(schema, {})).toHaveLength(1);
  },
);

it.each<JsonObject>([
  { properties: { at: { format: 'date' } } },
  { patternProperties: { '^a': { type: 'number' } } },
])('leaves to the client: %j', (schema) => {
  expect(schemaProblems(schema, { at: 'tomorrow' })).toEqual([]);
});

it('names the path of a problem with unencoded field names', () => {
  const schema = { properties: { 'größe in cm': { type: 'object', properties: { b: { type: 'number' } } } } };
  expect(schemaProblems(schema, { 'größe in cm': { b: 'x' } })).toEqual([
    expect.stringContaining('größe in cm.b: '),
  ]);
});

it('names a problem next to a field whose name is not valid text', () => {
  const schema = { properties: { count: { type: 'number' } } };
  expect(fillableProblems(schema, { '\uD83D': 1, count: 'x' })).toEqual([expect.stringContaining('count: ')]);
});
