import * as z from 'zod';
import type { JsonObject } from '@svc/contracts';
import { parseDuration, refuseUnknownOptions, requireOptions } from '../config/options.js';
import { parseHooks, type HookInput } from '../hooks/hook.js';
import { createStableId } from '../identifiers.js';
import { checkInjections, checkOutput, parseDescription } from './build-tool.js';
import { checkTraits } from './check-traits.js';
import { declarationError, parseName } from './declaration-error.js';
import type { Injections } from './injection.js';
import { describeOutput } from './input-schema.js';
import { checkControls, checkPaths, type OrderControl } from './order-control.js';
import { createTool, isTool, type Tool } from './tool.js';

/** What an override can change. Single values replace, tags are added, metadata is merged. */
export interface ToolOverrideOptions {
  /** The name it is registered under. @default its own */
  name?: string | undefined;
  /** What planners are told. @default its own */
  description?: string | undefined;
  /** Added to its own. */
  tags?: readonly string[] | undefined;
  /** Laid over its own, field by field. */
  metadata?: JsonObject | undefined;
  /** Whether every run plans it at least once. @default its own */
  alwaysExecute?: boolean | undefined;
  /** Whether its result is the run's. @default its own */
  finalTool?: boolean | undefined;
  /** Whether running it twice does no harm. @default its own */
  idempotent?: boolean | undefined;
  /** How long one call may take, in milliseconds. @default its own */
  timeoutMs?: number | undefined;
  /** Arguments used where the planner gives none. */
  defaultArgs?: Readonly<Record<string, unknown>> | undefined;
  /** More injected arguments; one that the input has is taken from the planner. */
  inject?: Injections | undefined;
  /** Added to its own. */
  order?: readonly OrderControl[] | undefined;
  /** What it returns, checked after the tool's own `output`; the planner of an MCP server's tool is only told of it. */
  outputSchema?: z.ZodType | undefined;
  /** Instead of its own; an empty list takes them away. */
  beforeExecute?: HookInput | undefined;
  /** Instead of its own; an empty list takes them away. */
  afterExecute?: HookInput | undefined;
}

const KNOWN: readonly string[] = [
  'name',
  'description',
  'tags',
  'metadata',
  'alwaysExecute',
  'finalTool',
  'idempotent',
  'timeoutMs',
  'defaultArgs',
  'inject',
  'order',
  'outputSchema',
  'beforeExecute',
  'afterExecute',
] satisfies (keyof ToolOverrideOptions)[];

/** Changes how a tool is registered, without touching the tool itself. */
export class ToolOverride {
  readonly options: Readonly<ToolOverrideOptions>;

  /** An option that does not exist, or has a value that it cannot have, is a `ConfigurationError`. */
  constructor(options: ToolOverrideOptions) {
    refuseUnknownOptions(options, KNOWN, 'ToolOverride');
    checkTraits(options, 'a ToolOverride');
    requireOptions(options.defaultArgs ?? {}, 'defaultArgs of a ToolOverride');
    checkInjections(options.inject ?? {}, 'a ToolOverride');
    checkControls(options.order ?? [], 'a ToolOverride');
    checkNaming(options);
    if (options.timeoutMs != null) parseDuration(options.timeoutMs, 'timeoutMs of a ToolOverride');
    if (options.outputSchema != null) describeOutput(options.outputSchema, 'a ToolOverride');
    parseHooks(options.beforeExecute, options.afterExecute);
    this.options = Object.freeze({ ...options });
  }

  /** The name and the description that it gives, for a schema that has none. */
  get naming(): Pick<ToolOverrideOptions, 'name' | 'description'> {
    const { name, description } = this.options;
    return { ...(name == null ? {} : { name }), ...(description == null ? {} : { description }) };
  }

  /** The changed tool. Arguments that the tool does not have are a `ConfigurationError`. */
  apply(tool: Tool): Tool {
    if (!isTool(tool)) throw declarationError('TOOL_INVALID', 'A ToolOverride is applied to a tool.');
    const { options } = this;
    const name = options.name ?? tool.name;
    const injected = new Set(Object.keys(options.inject ?? {}));
    const defaultArgs = options.defaultArgs ?? {};
    const owner = `tool '${name}'`;
    checkPaths(options.order ?? [], argumentsOf(tool.inputSchema), owner);
    if (tool.kind !== 'mcp') checkDefaults(Object.keys(defaultArgs), tool.inputSchema, owner);
    return createTool({
      ...tool,
      id: name === tool.name ? tool.id : createStableId(`Tool:${name}`),
      name,
      description: options.description?.trim() ?? tool.description,
      tags: [...new Set([...tool.tags, ...(options.tags ?? [])])],
      metadata: { ...tool.metadata, ...options.metadata },
      alwaysExecute: options.alwaysExecute ?? tool.alwaysExecute,
      finalTool: options.finalTool ?? tool.finalTool,
      idempotent: options.idempotent ?? tool.idempotent,
      timeoutMs: options.timeoutMs ?? tool.timeoutMs,
      inputSchema: withoutArguments(tool.inputSchema, injected, new Set(Object.keys(defaultArgs))),
      outputSchema:
        options.outputSchema == null ? tool.outputSchema : describeOutput(options.outputSchema, owner),
      ...(options.defaultArgs == null ? {} : { defaultArgs: { ...tool.defaultArgs, ...defaultArgs } }),
      inject: new Map([...tool.inject, ...Object.entries(options.inject ?? {})]),
      order: [...tool.order, ...(options.order ?? [])],
      hooks: mergeHooks(tool, options),
      parseInput: (args, values) => {
        const overlapping = Object.fromEntries(Object.entries(values).filter(([key]) => injected.has(key)));
        return tool.parseInput({ ...defaultArgs, ...args, ...overlapping }, values);
      },
      execute: checkingOutput(tool, options.outputSchema ?? undefined, name),
    });
  }
}

function checkNaming({ name, description }: ToolOverrideOptions): void {
  if (name != null) parseName(name, 'A tool');
  if (description != null) parseDescription(description, 'ToolOverride');
}

/** What a server of MCP gives back is an answer around the result, which its own schema describes. */
function checkingOutput(tool: Tool, output: z.ZodType | undefined, name: string): Tool['execute'] {
  if (output === undefined || tool.kind === 'mcp') return tool.execute;
  return async (args, context) => checkOutput(output, await tool.execute(args, context), name);
}

function mergeHooks(tool: Tool, options: ToolOverrideOptions): Tool['hooks'] {
  const given = parseHooks(options.beforeExecute, options.afterExecute);
  return {
    before: options.beforeExecute == null ? tool.hooks.before : given.before,
    after: options.afterExecute == null ? tool.hooks.after : given.after,
  };
}

const ObjectSchema = z.looseObject({
  properties: z.record(z.string(), z.json()).default({}),
  required: z.array(z.string()).default([]),
});

/** The names of the arguments; a schema from elsewhere need not list them. */
function argumentsOf(schema: JsonObject): string[] | undefined {
  return 'properties' in schema ? Object.keys(ObjectSchema.parse(schema).properties) : undefined;
}

/** A default for an argument that does not exist would do nothing; a schema may allow others than it lists. */
function checkDefaults(names: readonly string[], schema: JsonObject, owner: string): void {
  const known = argumentsOf(schema) ?? names;
  const isOpen = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false;
  const unknown = names.filter((name) => !known.includes(name));
  if (isOpen || unknown.length === 0) return;
  throw declarationError(
    'TOOL_UNKNOWN_ARGUMENT',
    `defaultArgs of ${owner} names ${unknown.join(', ')}, which is none of its arguments: ${known.join(', ') || '(none)'}.`,
    { argument: unknown[0] },
  );
}

/** A schema whose injected arguments are gone and whose defaulted ones are optional. */
function withoutArguments(
  schema: JsonObject,
  gone: ReadonlySet<string>,
  optional: ReadonlySet<string>,
): JsonObject {
  if (gone.size === 0 && optional.size === 0) return schema;
  const { properties, required } = ObjectSchema.parse(schema);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !gone.has(key))),
    required: required.filter((key) => !gone.has(key) && !optional.has(key)),
  };
}
