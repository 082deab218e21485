import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnInterrupt, dependsOnPrivateData, dependsOnTool } from '../../src/decorators/depends-on.js';
import {
  dependsOnAwaitFor,
  dependsOnReevaluate,
  requiresProducerReference,
} from '../../src/decorators/order.js';
import { toolify } from '../../src/decorators/toolify.js';
import { defineModelTool } from '../../src/tools/model-tool.js';

const base = { name: 'charge', description: 'Charge a card' };

/** What a caller without types may pass. */
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

  it('has the defaults optional, enums and unions listed, and no text of an error', () => {
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

  it('has no references, also where schemas have ids', () => {
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

  it('has no injected argument', () => {
    expect(Object.keys(Object(tool.inputSchema.properties))).toEqual(['note', 'size', 'amount', 'nested']);
  });

  it('checks what the planner filled, naming places and rules but no values', async () => {
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
  ])('refuses %s, which JSON does not have', (_name, input) => {
    expect(codeOf(() => toolify({ ...base, input }, () => null))).toBe('TOOL_UNREPRESENTABLE_SCHEMA');
  });
});

describe('a declaration that cannot work fails at once', () => {
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
      'an argument that is filled and injected',
      () => toolify({ ...base, input, inject: untyped({ q: dependsOnPrivateData('k') }) }, () => null),
      'TOOL_ARGUMENT_DECLARED_TWICE',
    ],
    [
      'an injected order',
      () => toolify({ ...base, inject: untyped({ q: dependsOnAwaitFor('a') }) }, () => null),
      'TOOL_INVALID_REFERENCE',
    ],
    [
      'an injected text',
      () => toolify({ ...base, inject: untyped({ q: 'a' }) }, () => null),
      'TOOL_INVALID_REFERENCE',
    ],
    [
      'an order that injects',
      () => toolify({ ...base, order: untyped([dependsOnTool('a')]) }, () => null),
      'TOOL_INVALID_ORDER',
    ],
    [
      'an order that is no list',
      () => toolify({ ...base, order: untyped('a') }, () => null),
      'TOOL_INVALID_ORDER',
    ],
    [
      'no size limit',
      () => toolify({ ...base, maxResultBytes: Number.NaN }, () => null),
      'CONFIG_INVALID_OPTION',
    ],
    [
      'a text for a yes or no',
      () => toolify({ ...base, idempotent: untyped('false') }, () => null),
      'CONFIG_INVALID_OPTION',
    ],
    [
      'metadata that JSON cannot carry',
      () => toolify({ ...base, metadata: untyped({ size: 1n }) }, () => null),
      'CONFIG_INVALID_OPTION',
    ],
    [
      'a number for what is injected',
      () => toolify({ ...base, inject: untyped(5) }, () => null),
      'CONFIG_INVALID_OPTION',
    ],
    [
      'a text for tags',
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
    [
      'a time limit of nothing',
      () => toolify({ ...base, timeoutMs: 0 }, () => null),
      'CONFIG_INVALID_DURATION',
    ],
    [
      'a choice without choices',
      () => dependsOnInterrupt({ prompt: '?', inputType: 'choice' }),
      'TOOL_INVALID_INTERRUPT',
    ],
    ['a tool by a name that none can have', () => dependsOnTool('my-tool'), 'TOOL_INVALID_NAME'],
    ['an unknown timing', () => dependsOnAwaitFor('a', untyped({ timing: 'while' })), 'TOOL_INVALID_ORDER'],
    [
      'an unknown pairing',
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
      'an input that is no object',
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
  ])('%s', (_name, make, code) => {
    expect(codeOf(make)).toBe(code);
  });

  it.each([
    ['a', undefined],
    ['a.b_1', undefined],
    ['a..b', 'TOOL_INVALID_PRODUCER_REFERENCE'],
    ['0a', 'TOOL_INVALID_PRODUCER_REFERENCE'],
    ['nope', 'TOOL_INVALID_PRODUCER_REFERENCE'],
  ])('a producer reference at %s', (argumentPath, code) => {
    const order = [requiresProducerReference({ argumentPath, producer: 'search' })];
    const make = () =>
      toolify({ ...base, input: z.object({ a: z.unknown(), q: z.string() }), order }, () => null);
    expect(codeOf(make)).toBe(code);
  });

  it('names the path, the tool and its arguments in a wrong producer reference', () => {
    const order = [requiresProducerReference({ argumentPath: 'nope', producer: 'search' })];
    expect(() => toolify({ ...base, input, order }, () => null)).toThrow(/'nope' of tool 'charge'.*: q\./);
  });

  it('takes a path once and only producers with a name', () => {
    const reference = requiresProducerReference({ argumentPath: 'q', producer: 'search' });
    expect(codeOf(() => toolify({ ...base, input, order: [reference, reference] }, () => null))).toBe(
      'TOOL_INVALID_PRODUCER_REFERENCE',
    );
    expect(codeOf(() => requiresProducerReference({ argumentPath: 'q', producer: 'my-tool' }))).toBe(
      'TOOL_INVALID_NAME',
    );
  });

  it('allows a compose policy on whole arguments only', () => {
    const make = (composePolicies: Record<string, object>) => () =>
      toolify({ ...base, input, composePolicies: untyped(composePolicies) }, () => null);
    expect(codeOf(make({ 'q.b': {} }))).toBe('TOOL_UNKNOWN_ARGUMENT');
    expect(codeOf(make({ q: { mode: 'maybe' } }))).toBe('TOOL_INVALID_POLICY');
    expect(codeOf(make({ q: { mode: 'require' } }))).toBeUndefined();
  });
});

describe('the result', () => {
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

  it('may be synchronous or a promise', async () => {
    await expect(toolify(base, () => 1).execute({}, Object.create(null))).resolves.toBe(1);
    await expect(toolify(base, async () => 1).execute({}, Object.create(null))).resolves.toBe(1);
  });
});

it('tags come from the tool and its permissions, each once', () => {
  const tool = toolify({ ...base, tags: ['crm', 'read'], permissions: ['read', 'delete'] }, () => null);
  expect(tool.tags).toEqual(['crm', 'read', 'delete', 'destructive']);
  expect(Object.isFrozen(tool)).toBe(true);
});
