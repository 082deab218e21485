import type { JsonValue } from '@svc/contracts';
import type { PlanContext, PlanTool, StructuredOutput } from '../../plan-context.js';
import type { ParametersSchema } from '../../plan-context.js';
import { isJsonObject } from '../../../json-object.js';
import type { Goal } from '../goals/goals.js';
import { toolSetOf } from '../tools/tool-profile.js';
import type { Clause } from '../tools/clauses.js';

/** Stands for the structured answer among the goals; it is not a tool and never called. */
export const STRUCTURED_ANSWER_ID = '#structured_answer';

/** The goal of filling a structured answer; undefined when a tool does that or none is wanted. */
export function structuredGoal(context: PlanContext, whole: Clause): Goal | undefined {
  const wanted = context.constraints.structured_output;
  if (!wanted || wanted.tool_id !== undefined) return undefined;
  const tool: PlanTool = {
    tool_id: STRUCTURED_ANSWER_ID,
    name: wanted.name,
    description: '',
    kind: 'model',
    tags: [],
    parameters: objectSchema(wanted),
    dependencies: [],
    always_execute: false,
    final_tool: true,
  };
  const [profile] = toolSetOf([tool]).profiles;
  return profile && { key: `0.${wanted.name}`, profile, clause: whole, purpose: 'final' };
}

function objectSchema({ schema }: StructuredOutput): ParametersSchema {
  const { properties, required } = schema;
  const shown = isJsonObject(properties) ? Object.entries(properties) : [];
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(shown.map(([name, each]) => [name, isJsonObject(each) ? each : {}])),
    required: Array.isArray(required)
      ? required.filter((each: JsonValue): each is string => typeof each === 'string')
      : [],
  };
}
