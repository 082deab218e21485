import type { JsonObject } from '@svc/contracts';
import { expect, it } from 'vitest';
import { getLogger } from '../../../src/logging/logger.js';
import { createSchemaCheck } from '../../../src/mcp/schema/schema-check.js';

const slow = { pattern: '^(a+)+$' };
const hostile = { q: `${'a'.repeat(30)}!`, const: 1 };
const about = { tool: 'search', logger: getLogger() };
const referring = (to: string, rest: JsonObject = {}): JsonObject => ({
  ...rest,
  properties: { q: { $ref: to }, ...Object(rest['properties']) },
});

it.each<[string, JsonObject]>([
  ['in a default', referring('#/default', { default: slow })],
  ['in examples', referring('#/examples/0', { examples: [slow] })],
  ['in a value that is allowed', referring('#/enum/0', { enum: [slow, hostile] })],
  ['in a constant of a field', referring('#/properties/r/const', { properties: { r: { const: slow } } })],
  ['by the names of fields', referring('#/properties', { properties: slow })],
  ['by the names of definitions', referring('#/$defs', { $defs: slow })],
  ['by a name that is written otherwise', referring('#/%65num/0', { enum: [slow, hostile] })],
  ['behind a field that is called like a keyword', { dependencies: { const: { properties: { q: slow } } } }],
])(
  'a pattern that stands %s is not run either',
  async (_, schema) => {
    await expect(createSchemaCheck(schema, about)(hostile)).resolves.toBeUndefined();
  },
  30_000,
);

it('compares no items of a list with one another', async () => {
  const items = Array.from({ length: 100_000 }, (_, index) => ({ index }));
  await expect(
    createSchemaCheck({ uniqueItems: true }, about)([...items, ...items]),
  ).resolves.toBeUndefined();
}, 30_000);

it.each(['#/$defs/text', '#/definitions/text', '#/properties/a', '#/anyOf/0', '#/$defs/enum'])(
  'checks by what %s refers to',
  async ($ref) => {
    const text = { type: 'string' };
    const check = createSchemaCheck(
      {
        $defs: { text, enum: text },
        definitions: { text },
        anyOf: [text, { type: 'object' }],
        properties: { a: text, q: { $ref } },
      },
      about,
    );
    expect(await check({ q: 'x' })).toBeUndefined();
    expect(await check({ q: 1 })).toContain('must be string');
  },
);

/** Each definition refers to the next one twice. */
const doubling: JsonObject = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, index): [string, JsonObject] => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, index === 39 ? { type: 'object' } : { allOf: [next, next] }];
    }),
  ),
};
const both = (first: JsonObject, second: JsonObject) => ({ allOf: [{ items: first }, { items: second }] });
/** By other definitions, each comes back to itself twice. */
const crossing: JsonObject = {
  $ref: '#/$defs/a',
  $defs: { a: { $ref: '#/$defs/b' }, b: both({ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }) },
};
/** Each level is reached by one step from the last one, and by two from the one before. */
const twoSteps: JsonObject = {
  properties: { a: { allOf: [{ $ref: '#' }, { properties: { a: { $ref: '#' } } }] } },
};
/** Each definition leads to the next one, and the last one back to each of them, for a field of another name. */
const manyWays = (definitions: number, ways: number): JsonObject => {
  const to = (at: number) => ({ $ref: `#/$defs/d${at % definitions}` });
  const named = Array.from({ length: definitions }, (_, at) => [`d${at}`, { properties: { n: to(at + 1) } }]);
  const back = Array.from({ length: ways }, (_, at) => [`w${at}`, to(at)]);
  const last = { properties: Object.fromEntries(back) };
  return { ...to(0), $defs: { ...Object.fromEntries(named), [`d${definitions - 1}`]: last } };
};
const nested = (levels: number): JsonObject => JSON.parse(`${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`);
const deep = (levels: number): JsonObject => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

it.each<[string, JsonObject, unknown]>([
  ['definitions that double', doubling, {}],
  ['a schema that refers to itself twice', both({ $ref: '#' }, { $ref: '#' }), deep(60)],
  ['definitions that refer to each other', crossing, deep(60)],
  ['a schema that refers to itself for a field, and for that field of it', twoSteps, nested(60)],
  [
    'a schema that refers to itself for a field, and for any field',
    { allOf: [{ properties: { a: { $ref: '#' } } }, { additionalProperties: { $ref: '#' } }] },
    nested(60),
  ],
  ['definitions with more ways back than can be compared', manyWays(800, 250), {}],
  ['a schema that refers to itself for the same value', { allOf: [{ $ref: '#' }] }, {}],
  [
    'definitions below a name',
    { properties: { $defs: doubling }, $defs: doubling['$defs'] ?? null },
    { $defs: {} },
  ],
])(
  '%s are not followed without end',
  async (_, schema, value) => {
    await expect(createSchemaCheck(schema, about)(value)).resolves.toBeUndefined();
  },
  30_000,
);

it.each<[string, JsonObject, unknown, unknown]>([
  [
    'a tree of two sides',
    { properties: { left: { $ref: '#' }, right: { $ref: '#' }, name: { type: 'string' } } },
    { left: { right: { name: 'a' } } },
    { left: { right: { name: 1 } } },
  ],
  [
    'any JSON, in lists and in fields',
    {
      $ref: '#/$defs/json',
      $defs: {
        json: {
          anyOf: [
            { type: 'string' },
            { type: 'array', items: { $ref: '#/$defs/json' } },
            { type: 'object', additionalProperties: { $ref: '#/$defs/json' } },
          ],
        },
      },
    },
    { a: [{ b: 'c' }] },
    { a: [{ b: 1 }] },
  ],
  [
    'definitions that refer to each other under other names',
    {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          properties: { first: { $ref: '#/$defs/edge' }, second: { $ref: '#/$defs/edge' } },
          type: 'object',
        },
        edge: { properties: { to: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } } },
      },
    },
    { first: { to: { second: { to: null } } } },
    { first: { to: { second: { to: 1 } } } },
  ],
  [
    'a definition that only refers to another one',
    {
      $ref: '#/$defs/a',
      $defs: { a: { type: 'object', properties: { x: { $ref: '#/$defs/b' } } }, b: { $ref: '#/$defs/a' } },
    },
    { x: { x: {} } },
    { x: { x: 1 } },
  ],
])('checks by %s, which double nothing', async (_, schema, right, wrong) => {
  const check = createSchemaCheck(schema, about);
  expect(await check(right)).toBeUndefined();
  expect(await check(wrong)).toContain('must be');
});

it('checks by definitions that refer to themselves, and by one that is referred to often', async () => {
  const $ref = '#/$defs/tree';
  const tree = { type: 'object', properties: { name: { type: 'string' }, children: { items: { $ref } } } };
  const fields = Array.from({ length: 50 }, (_, index) => [`f${index}`, { $ref }]);
  const check = createSchemaCheck({ $defs: { tree }, properties: Object.fromEntries(fields) }, about);
  expect(await check({ f0: { children: [{ children: [] }] } })).toBeUndefined();
  expect(await check({ f49: { children: [{ name: 1 }] } })).toContain('must be string');
});
