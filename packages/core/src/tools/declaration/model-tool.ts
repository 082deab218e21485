import type * as z from 'zod';
import { refuseUnknownOptions } from '../../config/options.js';
import { buildTool, TRAIT_NAMES } from './build-tool.js';
import { declarationError, toName } from '../declaration-error.js';
import type { Tool } from './tool.js';
import type { ToolTraits } from './tool-options.js';

/** Options of a model tool; the name and description default to the schema's own (`meta`). */
export interface ModelToolOptions extends Omit<ToolTraits, 'description'> {
  /** The name of the tool. @default the `id` of the schema's meta, or its `title` with `_` in place of other characters */
  name?: string | undefined;
  /** What the tool does. @default the schema's description */
  description?: string | undefined;
}

/** Creates a tool from a schema alone: the planner fills it, and the parsed object is the result. */
export function defineModelTool<Schema extends z.ZodObject>(
  schema: Schema,
  options?: ModelToolOptions,
): Tool<z.output<Schema>>;
export function defineModelTool(schema: z.ZodObject, options: ModelToolOptions = {}): Tool {
  refuseUnknownOptions(options, [...TRAIT_NAMES, 'name'], 'A model tool');
  const { name: ownName, description: ownDescription, ...traits } = options;
  const name = ownName ?? nameOfSchema(schema);
  const description = ownDescription ?? schema.meta()?.description;
  if (name === undefined || description === undefined) {
    throw declarationError(
      'TOOL_UNNAMED_MODEL',
      "A model tool must have a name and a description. Use schema.meta({ id: 'Invoice', description: '...' }), or pass them as options.",
    );
  }
  return buildTool({
    name,
    kind: 'model',
    input: schema,
    output: undefined,
    inject: {},
    order: [],
    traits: { ...traits, description },
    run: (args: unknown) => args,
  });
}

/** Returns the name of a schema: its id, or its title converted to a name. */
export function nameOfSchema(schema: z.ZodObject): string | undefined {
  const { id, title } = schema.meta() ?? {};
  return id ?? (title === undefined ? undefined : toName(title));
}
