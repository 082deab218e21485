import type * as z from 'zod';
import { refuseUnknownOptions } from '../config/options.js';
import { buildTool, TRAIT_NAMES } from './build-tool.js';
import { declarationError, toName } from './declaration-error.js';
import type { Tool } from './tool.js';
import type { ToolTraits } from './tool-options.js';

/** What a model tool can be told; name and description default to the schema's own (`meta`). */
export interface ModelToolOptions extends Omit<ToolTraits, 'description'> {
  /** @default the `id` of the schema's meta, or its `title` with `_` for what no name can have */
  name?: string | undefined;
  /** @default the schema's description */
  description?: string | undefined;
}

/** A tool of a schema alone: the planner fills it, and the checked object is the result. */
export function defineModelTool<Schema extends z.ZodObject>(
  schema: Schema,
  options?: ModelToolOptions,
): Tool<z.output<Schema>>;
export function defineModelTool(schema: z.ZodObject, options: ModelToolOptions = {}): Tool {
  refuseUnknownOptions(options, [...TRAIT_NAMES, 'name'], 'A model tool');
  const { name: givenName, description: givenDescription, ...traits } = options;
  const name = givenName ?? nameOfSchema(schema);
  const description = givenDescription ?? schema.meta()?.description;
  if (name === undefined || description === undefined) {
    throw declarationError(
      'TOOL_UNNAMED_MODEL',
      "A model tool needs a name and a description: schema.meta({ id: 'Invoice', description: '...' }), or pass them beside the schema.",
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

/** What a schema calls itself: its id, or its title, a free text, brought into the form of a name. */
export function nameOfSchema(schema: z.ZodObject): string | undefined {
  const { id, title } = schema.meta() ?? {};
  return id ?? (title === undefined ? undefined : toName(title));
}
