import * as z from 'zod';
import type { JsonObject } from '@svc/contracts';
import { parseDuration, refuseUnknownOptions, requireOptions } from '../../config/options.js';
import { parseHooks, type HookInput } from '../../hooks/hook.js';
import { createStableId } from '../../identifiers.js';
import { checkInjections, checkOutput, parseDescription } from './build-tool.js';
import { checkTraits } from './check-traits.js';
import { declarationError, parseName } from '../declaration-error.js';
import type { Injections } from '../references/injection.js';
import { describeOutput } from './input-schema.js';
import { checkControls, checkPaths, type OrderControl } from '../references/order-control.js';
import { createTool, isTool, type Tool } from './tool.js';

/** The changes of an override. Single values replace the tool's own, tags are added, metadata is merged. */
export interface ToolOverrideOptions {
  /** The name of the registered tool. @default the tool's own */
  name?: string | undefined;
  /** The description for planners. @default the tool's own */
  description?: string | undefined;
  /** Tags, added to the tool's own. */
  tags?: readonly string[] | undefined;
  /** Metadata, merged over the tool's own, field by field. */
  metadata?: JsonObject | undefined;
  /** Whether every run plans it at least once. @default the tool's own */
  alwaysExecute?: boolean | undefined;
  /** Whether its result is the run's result. @default the tool's own */
  finalTool?: boolean | undefined;
  /** Whether running it twice is harmless. @default the tool's own */
  idempotent?: boolean | undefined;
  /** The time limit of one call, in milliseconds. @default the tool's own */
  timeoutMs?: number | undefined;
  /** Default values of arguments that the planner leaves out. */
  defaultArgs?: Readonly<Record<string, unknown>> | undefined;
  /** Additional injected arguments; an argument of the input is hidden from the planner. */
  inject?: Injections | undefined;
  /** Order constraints, added to the tool's own. */
  order?: readonly OrderControl[] | undefined;
  /**
   * The schema of the result, validated after the tool's own `output`; for a tool of an MCP server it is only shown to
   * the planner.
   */
  outputSchema?: z.ZodType | undefined;
  /** Hooks that replace the tool's own; an empty array removes them. */
  beforeExecute?: HookInput | undefined;
  /** Hooks that replace the tool's own; an empty array removes them. */
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

  /** @throws ConfigurationError for an unknown option or an invalid value. */
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

  /** Returns the changed tool. @throws ConfigurationError for arguments that the tool does not have. */
  apply(tool: Tool): Tool {
    if (!isTool(tool)) throw declarationError('TOOL_INVALID', 'ToolOverride.apply expects a tool.');
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
  if (name != null) parseName(name, 'a tool');
  if (description != null) parseDescription(description, 'ToolOverride');
}

/** An MCP server wraps the result, which the schema describes, so that it is not validated here. */
function checkingOutput(tool: Tool, output: z.ZodType | undefined, name: string): Tool['execute'] {
  if (output === undefined || tool.kind === 'mcp') return tool.execute;
  return async (args, context) => checkOutput(output, await tool.execute(args, context), name);
}

function mergeHooks(tool: Tool, options: ToolOverrideOptions): Tool['hooks'] {
  const own = parseHooks(options.beforeExecute, options.afterExecute);
  return {
    before: options.beforeExecute == null ? tool.hooks.before : own.before,
    after: options.afterExecute == null ? tool.hooks.after : own.after,
  };
}

const ObjectSchema = z.looseObject({
  properties: z.record(z.string(), z.json()).default({}),
  required: z.array(z.string()).default([]),
});

/** Returns the names of the arguments; a foreign schema may not list them. */
function argumentsOf(schema: JsonObject): string[] | undefined {
  return 'properties' in schema ? Object.keys(ObjectSchema.parse(schema).properties) : undefined;
}

/** Refuses a default for an unknown argument, which would have no effect, unless the schema allows additional ones. */
function checkDefaults(names: readonly string[], schema: JsonObject, owner: string): void {
  const known = argumentsOf(schema) ?? names;
  const isOpen = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false;
  const unknown = names.filter((name) => !known.includes(name));
  if (isOpen || unknown.length === 0) return;
  throw declarationError(
    'TOOL_UNKNOWN_ARGUMENT',
    `defaultArgs of ${owner} contains unknown arguments: ${unknown.join(', ')}. Its arguments: ${known.join(', ') || '(none)'}.`,
    { argument: unknown[0] },
  );
}

/** Returns the schema without injected arguments and with defaulted ones optional. */
function withoutArguments(
  schema: JsonObject,
  removed: ReadonlySet<string>,
  optional: ReadonlySet<string>,
): JsonObject {
  if (removed.size === 0 && optional.size === 0) return schema;
  const { properties, required } = ObjectSchema.parse(schema);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !removed.has(key))),
    required: required.filter((key) => !removed.has(key) && !optional.has(key)),
  };
}
