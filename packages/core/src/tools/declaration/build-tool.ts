import * as z from 'zod';
import { kindOf, parseDuration, requireOptions } from '../../config/options.js';
import { parseHooks } from '../../hooks/hook.js';
import { createStableId } from '../../identifiers.js';
import { checkTraits } from './check-traits.js';
import { parseComposePolicies } from './compose-policy.js';
import { declarationError, parseName } from '../declaration-error.js';
import { ToolError } from '../errors.js';
import type { Injection, Injections } from '../references/injection.js';
import { describeInput, describeOutput, listIssues, parseWith } from './input-schema.js';
import { checkControls, checkPaths, type OrderControl } from '../references/order-control.js';
import { PermissionSet, permissionTags } from './permissions.js';
import { createTool, type Tool, type ToolContext, type ToolKind } from './tool.js';
import type { ToolTraits } from './tool-options.js';

/** The default maximum size of a result, in bytes of JSON. */
export const MAX_RESULT_BYTES = 1024 * 1024;

/** The options common to all tools. */
export const TRAIT_NAMES: readonly string[] = [
  'description',
  'permissions',
  'tags',
  'metadata',
  'alwaysExecute',
  'finalTool',
  'idempotent',
  'timeoutMs',
  'maxResultBytes',
  'composePolicies',
  'beforeExecute',
  'afterExecute',
] satisfies (keyof ToolTraits)[];

/** The declaration of a tool, whichever form it had. */
export interface ToolDeclaration {
  name: string;
  kind: ToolKind;
  input: z.ZodObject | undefined;
  output: z.ZodType | undefined;
  inject: Injections;
  order: readonly OrderControl[];
  traits: ToolTraits;
  run: (args: never, context: ToolContext) => unknown;
}

/** Validates a declaration and creates its tool. Every form goes through here. */
export function buildTool(declaration: ToolDeclaration): Tool {
  const { kind, traits, output, order } = declaration;
  const name = parseName(declaration.name, 'a tool');
  const owner = `tool '${name}'`;
  checkTraits(traits, owner);
  const input = declaration.input ?? z.object({});
  const inputSchema = describeInput(input, owner);
  const run = parseRun(declaration.run, owner);
  const permissions = PermissionSet.fromNames(traits.permissions ?? []);
  checkControls(order, owner);
  checkPaths(order, Object.keys(input.shape), owner);
  return createTool({
    id: createStableId(`Tool:${name}`),
    name,
    kind,
    description: parseDescription(traits.description, owner),
    tags: [...new Set([...(traits.tags ?? []), ...permissionTags(permissions)])],
    permissions,
    metadata: traits.metadata ?? {},
    composePolicies: parseComposePolicies(traits.composePolicies, Object.keys(input.shape), owner),
    alwaysExecute: traits.alwaysExecute ?? false,
    finalTool: traits.finalTool ?? false,
    idempotent: traits.idempotent ?? false,
    timeoutMs:
      traits.timeoutMs == null ? undefined : parseDuration(traits.timeoutMs, `timeoutMs of ${owner}`),
    maxResultBytes: traits.maxResultBytes ?? MAX_RESULT_BYTES,
    inputSchema,
    outputSchema: output === undefined ? undefined : describeOutput(output, owner),
    inject: parseInjections(declaration.inject, Object.keys(input.shape), owner),
    order,
    hooks: parseHooks(traits.beforeExecute, traits.afterExecute),
    parseInput: (args) => parseWith(input, args),
    execute: async (args, context) => checkOutput(output, await run(args, context), name),
  });
}

/** Returns the injected arguments by name; the planner must not fill any of them too. */
function parseInjections(
  inject: Injections,
  inputNames: readonly string[],
  owner: string,
): ReadonlyMap<string, Injection> {
  checkInjections(inject, owner);
  for (const argument of Object.keys(inject)) {
    parseName(argument, `an injected argument of ${owner}`);
    if (!inputNames.includes(argument)) continue;
    throw declarationError(
      'TOOL_ARGUMENT_DECLARED_TWICE',
      `The argument '${argument}' of ${owner} is both injected and in its input; keep one. The input has: ${inputNames.join(', ')}.`,
      { argument },
    );
  }
  return new Map(Object.entries(inject));
}

const INJECTION_KINDS: readonly unknown[] = [
  'tool',
  'agent',
  'private_data',
  'interrupt',
] satisfies Injection['kind'][];

/** Refuses anything but an injection, such as an order. */
export function checkInjections(inject: Injections, owner: string): void {
  for (const [argument, injection] of Object.entries(requireOptions(inject, `inject of ${owner}`))) {
    checkInjection(injection, `The argument '${argument}' of ${owner}`);
  }
}

function checkInjection(injection: Injection | null | undefined, argument: string): void {
  if (INJECTION_KINDS.includes(injection?.kind)) return;
  throw declarationError(
    'TOOL_INVALID_REFERENCE',
    `${argument} must be the result of dependsOnTool(), dependsOnAgent(), dependsOnPrivateData() or dependsOnInterrupt(), called without an argument name. Put an order into the order option.`,
  );
}

/** Returns the result as parsed by its schema; a result that does not match fails the call. */
export async function checkOutput(
  output: z.ZodType | undefined,
  value: unknown,
  name: string,
): Promise<unknown> {
  if (output === undefined) return value;
  const parsed = await parseWith(output, value);
  if (parsed.ok) return parsed.value;
  const places = listIssues(parsed.issues, '(result)');
  throw new ToolError(`The result of '${name}' does not match its output schema: ${places}.`, {
    code: 'TOOL_OUTPUT_INVALID',
    details: { issues: parsed.issues },
  });
}

/** Parses the description by which planners choose. */
export function parseDescription(description: unknown, owner: string): string {
  if (typeof description === 'string' && description.trim() !== '') return description.trim();
  throw declarationError(
    'TOOL_MISSING_DESCRIPTION',
    `The ${owner} must have a non-blank description, because planners choose by it.`,
  );
}

/**
 * The only place where a tool's function loses its argument types: its arguments were validated against its own
 * schemas.
 */
function parseRun(
  run: unknown,
  owner: string,
): (args: Readonly<Record<string, unknown>>, context: ToolContext) => unknown {
  if (typeof run === 'function') return run as ReturnType<typeof parseRun>;
  throw declarationError(
    'TOOL_MISSING_FUNCTION',
    `The ${owner} must have a function to run, got ${kindOf(run)}.`,
  );
}
