import { kindOf } from '../config/options.js';
import { declarationError } from '../tools/declaration-error.js';
import { defineUntypedTool, type DefineTool } from '../tools/declaration/define-tool.js';
import { defineModelTool, type ModelToolOptions } from '../tools/declaration/model-tool.js';
import { isObjectSchema } from '../tools/declaration/require-schema.js';
import { isTool } from '../tools/declaration/tool.js';
import { ToolOverride } from '../tools/declaration/tool-override.js';
import { isToolSource } from '../tools/tool-source.js';
import type { ToolInput } from './scope-options.js';
import type { ScopeState } from './scope-state.js';

/** A tool to be registered, and how it is changed. */
export interface Registration {
  readonly tool: ToolInput;
  readonly change: ToolOverride | ModelToolOptions | null | undefined;
}

/** Registers a tool, a schema as a model tool, or a source of tools in a scope. */
export function registerTool(
  { registry, sources }: Pick<ScopeState, 'registry' | 'sources'>,
  { tool, change }: Registration,
): void {
  refuseUselessChange({ tool, change });
  if (isObjectSchema(tool)) {
    if (change instanceof ToolOverride) {
      // A schema may have neither of its own.
      const { name, description } = change.options;
      registry.add(change.apply(defineModelTool(tool, { name, description })), tool);
    } else registry.add(defineModelTool(tool, change ?? {}), tool);
  } else if (isTool(tool)) {
    registry.add(change instanceof ToolOverride ? change.apply(tool) : tool, tool);
  } else if (isToolSource(tool)) {
    if (sources.some(({ name }) => name === tool.name)) throw duplicateSource(tool.name);
    sources.push(tool);
  } else {
    throw declarationError(
      'TOOL_INVALID',
      `A tool must be what toolify() returned, a zod 4 object schema (not of zod/mini) or a source of tools, got ${kindOf(tool)}.`,
    );
  }
}

/** Returns a function that declares tools and registers them at once. */
export function createToolify(registry: ScopeState['registry']): DefineTool {
  return (...declaration: Parameters<typeof defineUntypedTool>) => {
    const tool = defineUntypedTool(...declaration);
    registry.add(tool);
    return tool;
  };
}

function duplicateSource(name: string): Error {
  return declarationError(
    'TOOL_DUPLICATE_NAME',
    `There is already a source of tools named '${name}'. Rename one, or add it only once.`,
    { name },
  );
}

/** Refuses a change that would have no effect. */
function refuseUselessChange({ tool, change }: Registration): void {
  const acceptsChange = isObjectSchema(tool) || (isTool(tool) && change instanceof ToolOverride);
  if (change == null || acceptsChange) return;
  throw declarationError(
    'TOOL_INVALID',
    'The second argument of addTool must be a ToolOverride with a tool, a ToolOverride or options with a schema, and absent with a source of tools.',
  );
}
