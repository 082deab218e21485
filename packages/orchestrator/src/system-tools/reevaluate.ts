import type { JsonObject } from '@svc/contracts';
import type { PlanContext, RecordedCall } from '../planning/plan-context.js';
import { planLimits } from '../planning/policy/plan-limits.js';
import { isFailed, isOk, recordedCalls } from '../planning/policy/run-record.js';
import type { SystemTool } from './system-tool.js';

/** The state of a run: what was done, what failed, what must still run. */
function runState(context: PlanContext): JsonObject {
  const own = new Set(context.system_tools.map((tool) => tool.name));
  const nameOf = (call: RecordedCall) =>
    context.tools.find((tool) => tool.tool_id === call.tool_id)?.name ?? call.tool_id;
  const calls = recordedCalls(context).filter((call) => !own.has(call.tool_id));
  const limits = planLimits(context);
  return {
    done: calls.filter(isOk).map(nameOf),
    failed: calls.filter(isFailed).map((call) => ({
      tool: nameOf(call),
      why: call.outcome?.status === 'error' ? call.outcome.error.message : '',
    })),
    still_required: limits.required.map(
      ({ tool_id }) => context.tools.find((tool) => tool.tool_id === tool_id)?.name ?? tool_id,
    ),
    may_be_called: limits.callable.map((tool) => tool.name),
    planning_rounds_left: limits.cycles_left,
  };
}

/** The name of the system tool with which a planner stops to review results. It is shown as a phase, never as a tool. */
export const REEVALUATE_TOOL_NAME = 'reevaluate';

/** Stops planning to review the results, then continues. */
export const reevaluateTool: SystemTool = {
  name: REEVALUATE_TOOL_NAME,
  description: 'Stop and look at what was done, what failed and what is still needed before you plan on.',
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string', maxLength: 2000, description: 'Why the plan may have to change' },
    },
    required: [],
  },
  isUseful: ({ constraints, tools }) => constraints.allow_reevaluate_loop && tools.length > 1,
  run: async (_args, { context }) => runState(context),
};
