import { jsonSchema, tool, type ToolChoice, type ToolSet } from 'ai';
import type { JsonObject } from '@svc/contracts';
import type { PlanContext } from '../plan-context.js';
import { requiredFinalTool, type PlanLimits } from '../policy/plan-limits.js';
import { rootSchema } from './root-schema.js';
import { ASK_TOOL_NAME, type ToolNames } from './tool-names.js';

/** The tools offered to a model. */
export interface OfferedTools {
  readonly tools: ToolSet;
  readonly toolChoice: ToolChoice<ToolSet>;
}

const askSchema: JsonObject = {
  type: 'object',
  properties: {
    questions: {
      type: 'array',
      minItems: 1,
      maxItems: 8,
      items: {
        type: 'object',
        properties: {
          prompt: { type: 'string', description: 'The question as the person reads it' },
          input_type: { type: 'string', enum: ['text', 'choice', 'boolean', 'number'] },
          choices: {
            type: 'array',
            items: { type: 'string' },
            description: 'The possible answers of a choice',
          },
        },
        required: ['prompt'],
      },
    },
  },
  required: ['questions'],
};

// The SDK's schema type is mutable where ours is readonly, but the SDK only reads.
const schemaOf = (schema: JsonObject) => jsonSchema(rootSchema(schema) as Parameters<typeof jsonSchema>[0]);

const offered = (description: string, schema: JsonObject) =>
  tool({ description, inputSchema: schemaOf(schema) });

/** The tools a model may call now, and whether it must call one. */
export function offerTools(context: PlanContext, limits: PlanLimits, names: ToolNames): OfferedTools {
  const tools: ToolSet = {
    ...Object.fromEntries(
      limits.callable.map((each) => [names.nameOf(each.tool_id), offered(each.description, each.parameters)]),
    ),
    ...Object.fromEntries(
      context.system_tools.map((each) => [
        names.nameOf(each.name),
        offered(each.description, each.parameters),
      ]),
    ),
    [ASK_TOOL_NAME]: offered('Ask the person for what only they can know.', askSchema),
  };
  return { tools, toolChoice: choiceOf(context, limits, names) };
}

function choiceOf(context: PlanContext, limits: PlanLimits, names: ToolNames): ToolChoice<ToolSet> {
  if (limits.must_finish !== undefined) return 'none';
  const finalTool = requiredFinalTool(context);
  const isOnly = limits.callable.length === 1 && limits.callable[0] === finalTool;
  if (finalTool && (isOnly || limits.cycles_left <= 1))
    return { type: 'tool', toolName: names.nameOf(finalTool.tool_id) };
  return limits.required.length > 0 ? 'required' : 'auto';
}
