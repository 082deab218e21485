import { expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnTool } from '../../../src/decorators/depends-on.js';
import { dependsOnAwaitFor, requiresProducerReference } from '../../../src/decorators/order.js';
import { toolify } from '../../../src/decorators/toolify.js';
import { createTool } from '../../../src/tools/declaration/tool.js';
import { ToolOverride } from '../../../src/tools/declaration/tool-override.js';

const search = toolify(
  { name: 'search', description: 'Search', input: z.object({ q: z.string(), page: z.number() }) },
  (args) => args,
);
const referenceAt = (argumentPath: string) => requiresProducerReference({ argumentPath, producer: 'list' });

it.each<[string, object, string]>([
  ['an order in inject', { inject: { q: dependsOnAwaitFor('a') } }, 'TOOL_INVALID_REFERENCE'],
  ['a string in inject', { inject: { q: 'a' } }, 'TOOL_INVALID_REFERENCE'],
  ['a number as inject', { inject: 5 }, 'CONFIG_INVALID_OPTION'],
  ['a number as defaultArgs', { defaultArgs: 5 }, 'CONFIG_INVALID_OPTION'],
  ['a tool dependency in order', { order: [dependsOnTool('a')] }, 'TOOL_INVALID_ORDER'],
  ['a hole in order', { order: Object.assign([], { 1: dependsOnAwaitFor('a') }) }, 'TOOL_INVALID_ORDER'],
  ['an order that is not an array', { order: 5 }, 'TOOL_INVALID_ORDER'],
  ['a string as tags', { tags: 'abc' }, 'CONFIG_INVALID_OPTION'],
  ['a string as finalTool', { finalTool: 'false' }, 'CONFIG_INVALID_OPTION'],
  ['metadata that JSON cannot represent', { metadata: { size: 1n } }, 'CONFIG_INVALID_OPTION'],
  ['a name with a space', { name: 'look up' }, 'TOOL_INVALID_NAME'],
  ['a description that is not a string', { description: 5 }, 'TOOL_MISSING_DESCRIPTION'],
  ['a blank description', { description: ' ' }, 'TOOL_MISSING_DESCRIPTION'],
  ['a timeoutMs of 0', { timeoutMs: 0 }, 'CONFIG_INVALID_DURATION'],
  ['JSON Schema as its output', { outputSchema: { type: 'object' } }, 'TOOL_INVALID_SCHEMA'],
  [
    'a hole in a list of hooks',
    { afterExecute: Object.assign([], { 1: () => {} }) },
    'CONFIG_INVALID_OPTION',
  ],
  ['a hook that is not a function', { afterExecute: 'log' }, 'CONFIG_INVALID_OPTION'],
])('an override refuses %s', (_name, options, code) => {
  expect(() => new ToolOverride(options)).toThrow(expect.objectContaining({ code }));
});

it.each<[string, object, string]>([
  [
    'a reference to an argument that the tool lacks',
    { order: [referenceAt('nope')] },
    'TOOL_INVALID_PRODUCER_REFERENCE',
  ],
  ['a default for an argument that the tool lacks', { defaultArgs: { pages: 1 } }, 'TOOL_UNKNOWN_ARGUMENT'],
])('an override refuses %s when it is applied', (_name, options, code) => {
  const override = new ToolOverride(options);
  expect(() => override.apply(search)).toThrow(expect.objectContaining({ code }));
});

it('an override changes the fields it sets and keeps the rest', () => {
  const override = new ToolOverride({
    description: 'Find',
    tags: ['web'],
    inject: { page: dependsOnTool('count') },
    order: [referenceAt('q')],
  });
  const tool = override.apply(search);
  expect(tool).toMatchObject({ id: search.id, name: 'search', description: 'Find', tags: ['web'] });
  expect([...tool.inject.keys()]).toEqual(['page']);
  expect(tool.order).toHaveLength(1);
});

it('an override treats null options as absent', () => {
  const scalars = { name: null, description: null, tags: null, metadata: null, timeoutMs: null };
  const others = { defaultArgs: null, inject: null, order: null, outputSchema: null, beforeExecute: null };
  const { parseInput: _own, ...changed } = new ToolOverride({ ...scalars, ...others } as never).apply(search);
  expect(search).toMatchObject(changed);
});

it('an override’s output schema is checked after the tool’s own, but not for an MCP tool', async () => {
  const output = z.object({ found: z.number() });
  const run = (value: unknown) =>
    toolify({ name: 'find', description: 'Find', output }, () => value as never);
  const override = new ToolOverride({
    outputSchema: z.object({ found: z.number().min(1), by: z.string().default('a') }),
  });
  const context = Object.create(null);
  await expect(override.apply(run({ found: 1 })).execute({}, context)).resolves.toEqual({
    found: 1,
    by: 'a',
  });
  await expect(override.apply(run({ found: 0 })).execute({}, context)).rejects.toMatchObject({
    code: 'TOOL_OUTPUT_INVALID',
  });
  const ofServer = createTool({ ...run({ found: 0 }), kind: 'mcp' });
  await expect(override.apply(ofServer).execute({}, context)).resolves.toEqual({ found: 0 });
});

it('an override may set defaults for additional arguments of a loose input', async () => {
  const input = z.looseObject({ q: z.string() });
  const open = toolify({ name: 'open', description: 'Open', input }, (args) => args);
  const changed = new ToolOverride({ defaultArgs: { page: 2 } }).apply(open);
  await expect(changed.parseInput({ q: 'tea' }, {})).resolves.toEqual({
    ok: true,
    value: { q: 'tea', page: 2 },
  });
});

it('an override may reference any argument of a tool that does not list its arguments', () => {
  const open = createTool({ ...search, inputSchema: { type: 'object' } });
  const order = [referenceAt('source.id')];
  expect(new ToolOverride({ order }).apply(open).order).toEqual(order);
});

it.each([null, undefined, {}, 'search'])('an override refuses to be applied to %j', (tool) => {
  expect(() => new ToolOverride({}).apply(tool as never)).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID' }),
  );
});

it('an override refuses an unknown option', () => {
  expect(() => new ToolOverride(Object.assign({ name: 'a' }, { final: true }))).toThrow(/'final'/);
});

it('the options of an override are frozen', () => {
  expect(new ToolOverride({ name: 'a' }).options).toSatisfy(Object.isFrozen);
});

it('an override that renames a tool changes its id', () => {
  const [one, other] = ['find', 'look_up'].map((name) => new ToolOverride({ name }).apply(search).id);
  expect(new Set([search.id, one, other]).size).toBe(3);
  expect(new ToolOverride({ name: 'find' }).apply(search).id).toBe(one);
});

it('an override applied over another one merges with it', async () => {
  const first = new ToolOverride({
    defaultArgs: { q: 'tea', page: 1 },
    inject: { user: dependsOnTool('user') },
    order: [dependsOnAwaitFor('a')],
    metadata: { team: 'shop', level: 1 },
  });
  const second = new ToolOverride({
    defaultArgs: { page: 2 },
    inject: { shop: dependsOnTool('shop') },
    order: [dependsOnAwaitFor('b')],
    metadata: { level: 2 },
  });
  const tool = second.apply(first.apply(search));
  expect(tool.defaultArgs).toEqual({ q: 'tea', page: 2 });
  expect([...tool.inject.keys()]).toEqual(['user', 'shop']);
  expect(tool.order.map((control) => 'tool' in control && control.tool)).toEqual(['a', 'b']);
  expect(tool.metadata).toEqual({ team: 'shop', level: 2 });
  const parse = async (args: object) => tool.parseInput({ ...args }, {});
  await expect(parse({})).resolves.toEqual({ ok: true, value: { q: 'tea', page: 2 } });
  await expect(parse({ page: 7 })).resolves.toEqual({ ok: true, value: { q: 'tea', page: 7 } });
});
