import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
} from '../../../src/decorators/depends-on.js';
import {
  dependsOnAwaitFor,
  dependsOnReevaluate,
  requiresProducerReference,
} from '../../../src/decorators/order.js';
import { toolify } from '../../../src/decorators/toolify.js';
import { defineModelTool } from '../../../src/tools/declaration/model-tool.js';

const base = { name: 'charge', description: 'Charge a card' };

/** Any value, as a caller without types may pass it. */
function untyped(value: unknown): never {
  return value as never;
}

function codeOf(make: () => unknown): unknown {
  try {
    make();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return undefined;
}

describe('the schema that the planner sees', () => {
  const tool = toolify(
    {
      ...base,
      input: z.object({
        note: z.string().describe('A note').default('none'),
        size: z.enum(['s', 'm']),
        amount: z.union([z.number(), z.string()]),
        nested: z.object({ tags: z.array(z.string()).optional() }),
      }),
      inject: {
        order: dependsOnTool('fetch_order'),
        token: dependsOnPrivateData('card_token'),
        ok: dependsOnInterrupt({ prompt: 'Ok?' }),
      },
    },
    () => null,
  );

  it('makes arguments with defaults optional, and lists enums and unions', () => {
    expect(tool.inputSchema).toEqual({
      type: 'object',
      properties: {
        note: { type: 'string', description: 'A note', default: 'none' },
        size: { type: 'string', enum: ['s', 'm'] },
        amount: { type: ['number', 'string'] },
        nested: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } },
      },
      required: ['size', 'amount', 'nested'],
    });
  });

  it('has no references, even if nested schemas have ids', () => {
    const Line = z.object({ sku: z.string() }).meta({ id: 'Line', description: 'A line' });
    const named = toolify(
      { ...base, input: z.object({ one: Line, more: z.array(Line) }).meta({ id: 'Order' }) },
      () => null,
    );
    const line = {
      type: 'object',
      properties: { sku: { type: 'string' } },
      required: ['sku'],
      description: 'A line',
    };
    expect(named.inputSchema).toEqual({
      type: 'object',
      properties: { one: line, more: { type: 'array', items: line } },
      required: ['one', 'more'],
    });
  });

  it('contains no injected arguments', () => {
    expect(Object.keys(Object(tool.inputSchema.properties))).toEqual(['note', 'size', 'amount', 'nested']);
  });

  it('validates the planner’s arguments and reports paths and rules but no values', async () => {
    const parsed = await tool.parseInput(
      { note: 'secret-note', size: 'xl-secret', amount: 1, nested: {} },
      {},
    );
    expect(parsed).toEqual({ ok: false, issues: [{ path: 'size', problem: 'expected one of "s", "m"' }] });
    expect(await tool.parseInput({ size: 's', amount: 1, nested: {}, extra: 1 }, {})).toEqual({
      ok: true,
      value: { note: 'none', size: 's', amount: 1, nested: {} },
    });
  });

  it.each([
    ['a date', z.object({ when: z.date() })],
    ['a bigint', z.object({ big: z.bigint() })],
    ['a file', z.object({ one: z.union([z.string(), z.file()]) })],
    ['a custom type', z.object({ any: z.custom<() => void>() })],
  ])('refuses %s, which JSON cannot represent', (_name, input) => {
    expect(codeOf(() => toolify({ ...base, input }, () => null))).toBe('TOOL_UNREPRESENTABLE_SCHEMA');
  });

  it('names what else JSON cannot represent when its metadata is the cause', () => {
    const input = z.object({ size: z.unknown().meta({ examples: [3n] }) });
    expect(() => toolify({ ...base, input }, () => null)).toThrow(
      /JSON\. Use types, defaults and examples that JSON has/,
    );
  });
});

describe('a tool declaration', () => {
  const input = z.object({ q: z.string() });
  it.each<[string, () => unknown, string]>([
    [
      'no description',
      () => toolify({ name: 'a', description: ' ' }, () => null),
      'TOOL_MISSING_DESCRIPTION',
    ],
    ['a name with a dash', () => toolify({ ...base, name: 'my-tool' }, () => null), 'TOOL_INVALID_NAME'],
    [
      'a name that starts with a digit',
      () => toolify({ ...base, name: '0a' }, () => null),
      'TOOL_INVALID_NAME',
    ],
    [
      'an unknown option',
      () => toolify(untyped({ ...base, finaltool: true }), () => null),
      'CONFIG_UNKNOWN_OPTION',
    ],
    [
      'an argument that is both in the input and injected',
      () => toolify({ ...base, input, inject: untyped({ q: dependsOnPrivateData('k') }) }, () => null),
      'TOOL_ARGUMENT_DECLARED_TWICE',
    ],
    [
      'an order in inject',
      () => toolify({ ...base, inject: untyped({ q: dependsOnAwaitFor('a') }) }, () => null),
      'TOOL_INVALID_REFERENCE',
    ],
    [
      'a string in inject',
      () => toolify({ ...base, inject: untyped({ q: 'a' }) }, () => null),
      'TOOL_INVALID_REFERENCE',
    ],
    [
      'a tool dependency in order',
      () => toolify({ ...base, order: untyped([dependsOnTool('a')]) }, () => null),
      'TOOL_INVALID_ORDER',
    ],
    [
      'an order that is not an array',
      () => toolify({ ...base, order: untyped('a') }, () => null),
      'TOOL_INVALID_ORDER',
    ],
    [
      'a maxResultBytes of NaN',
      () => toolify({ ...base, maxResultBytes: Number.NaN }, () => null),
      'CONFIG_INVALID_OPTION',
    ],
    [
      'a string as idempotent',
      () => toolify({ ...base, idempotent: untyped('false') }, () => null),
      'CONFIG_INVALID_OPTION',
    ],
    [
      'metadata that JSON cannot represent',
      () => toolify({ ...base, metadata: untyped({ size: 1n }) }, () => null),
      'CONFIG_INVALID_OPTION',
    ],
    [
      'a number as inject',
      () => toolify({ ...base, inject: untyped(5) }, () => null),
      'CONFIG_INVALID_OPTION',
    ],
    [
      'a string as tags',
      () => toolify({ ...base, tags: untyped('abc') }, () => null),
      'CONFIG_INVALID_OPTION',
    ],
    [
      'an unknown option of private data',
      () => dependsOnPrivateData(untyped({ key: 'k', shema: z.string() })),
      'CONFIG_UNKNOWN_OPTION',
    ],
    [
      'an unknown option of a model tool',
      () => defineModelTool(z.object({}), untyped({ name: 'm', description: 'm', final: true })),
      'CONFIG_UNKNOWN_OPTION',
    ],
    [
      'an unknown permission',
      () => toolify({ ...base, permissions: untyped(['red']) }, () => null),
      'CONFIG_UNKNOWN_PERMISSION',
    ],
    ['a timeoutMs of 0', () => toolify({ ...base, timeoutMs: 0 }, () => null), 'CONFIG_INVALID_DURATION'],
    [
      'a choice without choices',
      () => dependsOnInterrupt(untyped({ prompt: '?', inputType: 'choice' })),
      'TOOL_INVALID_INTERRUPT',
    ],
    ['a reference to an invalid tool name', () => dependsOnTool('my-tool'), 'TOOL_INVALID_NAME'],
    ['an unknown timing', () => dependsOnAwaitFor('a', untyped({ timing: 'while' })), 'TOOL_INVALID_ORDER'],
    [
      'an unknown instanceControl',
      () => dependsOnReevaluate('a', untyped({ instanceControl: 'some' })),
      'TOOL_INVALID_ORDER',
    ],
    [
      'an unknown order option',
      () => dependsOnAwaitFor('a', untyped({ scope: 'forever' })),
      'CONFIG_UNKNOWN_OPTION',
    ],
    ['a blank data key', () => dependsOnPrivateData(' '), 'TOOL_INVALID_DATA_KEY'],
    [
      'an input that is not an object schema',
      () => toolify({ ...base, input: untyped(z.string()) }, () => null),
      'TOOL_INVALID_SCHEMA',
    ],
    [
      'an input in JSON Schema',
      () => toolify({ ...base, input: untyped({ type: 'object', properties: {} }) }, () => null),
      'TOOL_INVALID_SCHEMA',
    ],
    [
      'an output in JSON Schema',
      () => toolify({ ...base, output: untyped({ type: 'object' }) }, () => untyped(null)),
      'TOOL_INVALID_SCHEMA',
    ],
  ])('with %s throws', (_name, make, code) => {
    expect(codeOf(make)).toBe(code);
  });

  it.each([
    ['number', 5],
    ['null', null],
    ['array', []],
  ])('with a data key that is %s throws, and the error says so', (kind, key) => {
    expect(() => dependsOnPrivateData(untyped(key))).toThrow(new RegExp(`got .*${kind}`));
  });

  it.each([
    ['a', undefined],
    ['a.b_1', undefined],
    ['a..b', 'TOOL_INVALID_PRODUCER_REFERENCE'],
    ['0a', 'TOOL_INVALID_PRODUCER_REFERENCE'],
    ['nope', 'TOOL_INVALID_PRODUCER_REFERENCE'],
  ])('checks the path of a producer reference: %s', (argumentPath, code) => {
    const order = [requiresProducerReference({ argumentPath, producer: 'search' })];
    const make = () =>
      toolify({ ...base, input: z.object({ a: z.unknown(), q: z.string() }), order }, () => null);
    expect(codeOf(make)).toBe(code);
  });

  it('names the path, the tool and its arguments for an invalid producer reference', () => {
    const order = [requiresProducerReference({ argumentPath: 'nope', producer: 'search' })];
    expect(() => toolify({ ...base, input, order }, () => null)).toThrow(/'nope' of tool 'charge'.*: q\./);
  });

  it('refuses a repeated argument path and an invalid producer name', () => {
    const reference = requiresProducerReference({ argumentPath: 'q', producer: 'search' });
    expect(codeOf(() => toolify({ ...base, input, order: [reference, reference] }, () => null))).toBe(
      'TOOL_INVALID_PRODUCER_REFERENCE',
    );
    expect(codeOf(() => requiresProducerReference({ argumentPath: 'q', producer: 'my-tool' }))).toBe(
      'TOOL_INVALID_NAME',
    );
  });

  it('allows compose policies only for whole arguments, with known modes', () => {
    const make = (composePolicies: Record<string, object>) => () =>
      toolify({ ...base, input, composePolicies: untyped(composePolicies) }, () => null);
    expect(codeOf(make({ 'q.b': {} }))).toBe('TOOL_UNKNOWN_ARGUMENT');
    expect(codeOf(make({ q: { mode: 'maybe' } }))).toBe('TOOL_INVALID_POLICY');
    expect(codeOf(make({ q: { mode: 'require' } }))).toBeUndefined();
  });
});

describe('the result of a tool', () => {
  it('is checked against the output schema', async () => {
    const output = z.object({ id: z.string(), total: z.number().default(1) });
    const run = (value: unknown) =>
      toolify({ ...base, output }, () => untyped(value)).execute({}, Object.create(null));
    await expect(run({ id: 'a', extra: 1 })).resolves.toEqual({ id: 'a', total: 1 });
    await expect(run({ id: 1 })).rejects.toMatchObject({
      code: 'TOOL_OUTPUT_INVALID',
      message: "The result of 'charge' does not match its output schema: id expected string.",
      details: { issues: [{ path: 'id', problem: 'expected string' }] },
    });
  });

  it('may be a value or a promise', async () => {
    await expect(toolify(base, () => 1).execute({}, Object.create(null))).resolves.toBe(1);
    await expect(toolify(base, async () => 1).execute({}, Object.create(null))).resolves.toBe(1);
  });
});

it('collects tags from the tool and its permissions without duplicates', () => {
  const tool = toolify({ ...base, tags: ['crm', 'read'], permissions: ['read', 'delete'] }, () => null);
  expect(tool.tags).toEqual(['crm', 'read', 'delete', 'destructive']);
  expect(Object.isFrozen(tool)).toBe(true);
});
