import type { JsonObject } from '@svc/contracts';
import { expect, it } from 'vitest';
import { getLogger } from '../../src/logging/logger.js';
import { createSchemaCheck } from '../../src/mcp/schema-check.js';

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
