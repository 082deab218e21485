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
  ['in an enum', referring('#/enum/0', { enum: [slow, hostile] })],
  ['in the const of a property', referring('#/properties/r/const', { properties: { r: { const: slow } } })],
  ['in an object of properties', referring('#/properties', { properties: slow })],
  ['in an object of definitions', referring('#/$defs', { $defs: slow })],
  ['behind a percent-encoded reference', referring('#/%65num/0', { enum: [slow, hostile] })],
  ['below a dependency named like a keyword', { dependencies: { const: { properties: { q: slow } } } }],
])(
  'does not run a pattern %s',
  async (_, schema) => {
    await expect(createSchemaCheck(schema, about)(hostile)).resolves.toBeUndefined();
  },
  30_000,
);

it('ignores uniqueItems, which would compare all items with one another', async () => {
  const items = Array.from({ length: 100_000 }, (_, index) => ({ index }));
  await expect(
    createSchemaCheck({ uniqueItems: true }, about)([...items, ...items]),
  ).resolves.toBeUndefined();
}, 30_000);

it.each(['#/$defs/text', '#/definitions/text', '#/properties/a', '#/anyOf/0', '#/$defs/enum'])(
  'validates against the schema that %s refers to',
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
/** Each definition leads back to itself twice, through the other. */
const crossing: JsonObject = {
  $ref: '#/$defs/a',
  $defs: { a: { $ref: '#/$defs/b' }, b: both({ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }) },
};
/** Each level is reached in one step from the last level, and in two from the one before. */
const twoSteps: JsonObject = {
  properties: { a: { allOf: [{ $ref: '#' }, { properties: { a: { $ref: '#' } } }] } },
};
/** Each definition leads to the next one, and the last one back to others, each through a field of its own. */
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
  ['definitions that each refer to the next one twice', doubling, {}],
  ['a schema that refers to itself twice', both({ $ref: '#' }, { $ref: '#' }), deep(60)],
  ['definitions that refer to each other', crossing, deep(60)],
  ['a schema that refers to itself for a field and for the same field of that field', twoSteps, nested(60)],
  [
    'a schema that refers to itself for a field and for any field',
    { allOf: [{ properties: { a: { $ref: '#' } } }, { additionalProperties: { $ref: '#' } }] },
    nested(60),
  ],
  ['definitions with too many paths back to compare', manyWays(800, 250), {}],
  ['a schema that refers to itself for the same value', { allOf: [{ $ref: '#' }] }, {}],
  [
    'definitions below a property named $defs',
    { properties: { $defs: doubling }, $defs: doubling['$defs'] ?? null },
    { $defs: {} },
  ],
])(
  'takes bounded time with %s',
  async (_, schema, value) => {
    await expect(createSchemaCheck(schema, about)(value)).resolves.toBeUndefined();
  },
  30_000,
);

it.each<[string, JsonObject, unknown, unknown]>([
  [
    'a binary tree',
    { properties: { left: { $ref: '#' }, right: { $ref: '#' }, name: { type: 'string' } } },
    { left: { right: { name: 'a' } } },
    { left: { right: { name: 1 } } },
  ],
  [
    'a schema of any JSON',
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
    'definitions that refer to each other for fields with different names',
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
    'a definition that is only a reference',
    {
      $ref: '#/$defs/a',
      $defs: { a: { type: 'object', properties: { x: { $ref: '#/$defs/b' } } }, b: { $ref: '#/$defs/a' } },
    },
    { x: { x: {} } },
    { x: { x: 1 } },
  ],
  [
    'a definition that nothing refers to, although its references do',
    { type: 'object', $defs: { unused: both({ $ref: '#/$defs/unused' }, { $ref: '#/$defs/unused' }) } },
    {},
    1,
  ],
  ['values that look like references', { enum: [{ allOf: [{ $ref: '#' }] }, 1] }, 1, 2],
])('validates with references that do not multiply: %s', async (_, schema, right, wrong) => {
  const check = createSchemaCheck(schema, about);
  expect(await check(right)).toBeUndefined();
  expect(await check(wrong)).toContain('must be');
});

it('validates with a recursive definition that is referred to many times', async () => {
  const $ref = '#/$defs/tree';
  const tree = { type: 'object', properties: { name: { type: 'string' }, children: { items: { $ref } } } };
  const fields = Array.from({ length: 50 }, (_, index) => [`f${index}`, { $ref }]);
  const check = createSchemaCheck({ $defs: { tree }, properties: Object.fromEntries(fields) }, about);
  expect(await check({ f0: { children: [{ children: [] }] } })).toBeUndefined();
  expect(await check({ f49: { children: [{ name: 1 }] } })).toContain('must be string');
});
