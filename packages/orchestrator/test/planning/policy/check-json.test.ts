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

const twice = ($ref: string) => ({ allOf: [{ $ref }, { $ref }] });
let list: JsonObject = { text: 1 };
for (let depth = 0; depth < 24; depth += 1) list = { next: list };

it.each<[string, JsonObject, JsonObject]>([
  [
    'each to two others',
    {
      $defs: Object.fromEntries(
        Array.from({ length: 25 }, (_, index) => [index, index < 24 ? twice(`#/$defs/${index + 1}`) : {}]),
      ),
      $ref: '#/$defs/0',
    },
    {},
  ],
  ['twice to themselves, for a deep value', { properties: { next: twice('#') } }, list],
  [
    'twice to themselves in the old way',
    {
      $recursiveAnchor: true,
      properties: { next: { allOf: [{ $recursiveRef: '#' }, { $recursiveRef: '#' }] } },
    },
    list,
  ],
])(
  'references that lead %s are not followed without end',
  (_, schema, value) => {
    expect(schemaProblems(schema, value)).toEqual([]);
  },
  30_000,
);

it('references are followed for every item of a long list, each time anew', () => {
  const schema = { $defs: { text: { type: 'string' } }, items: { $ref: '#/$defs/text' } };
  const texts = Array.from({ length: 60_000 }, () => 'a');
  for (let time = 0; time < 3; time += 1) expect(schemaProblems(schema, [...texts, 1])).toHaveLength(1);
});

it('references without end are followed for one value and not for each, and others are followed on', () => {
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

it('a field may be called like what is not checked', () => {
  const schema = { properties: { pattern: { type: 'string' }, default: { type: 'string' } } };
  expect(schemaProblems(schema, { pattern: 1, default: 1 })).toHaveLength(2);
});

it.each<JsonObject>([{ enum: [{ pattern: 'a' }] }, { const: { pattern: 'a' } }])(
  'a value may be called like what is not checked: %j',
  (schema) => {
    expect(schemaProblems(schema, { pattern: 'a' })).toEqual([]);
    expect(schemaProblems(schema, {})).toHaveLength(1);
  },
);

it.each<JsonObject>([
  { properties: { at: { format: 'date' } } },
  { patternProperties: { '^a': { type: 'number' } } },
])('what is left to the client finds nothing wrong: %j', (schema) => {
  expect(schemaProblems(schema, { at: 'tomorrow' })).toEqual([]);
});

it('a place is named as it is called', () => {
  const schema = { properties: { 'größe in cm': { type: 'object', properties: { b: { type: 'number' } } } } };
  expect(schemaProblems(schema, { 'größe in cm': { b: 'x' } })).toEqual([
    expect.stringContaining('größe in cm.b: '),
  ]);
});
