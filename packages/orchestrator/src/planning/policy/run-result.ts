import type { JsonValue } from '@svc/contracts';
import { isJsonObject } from '../../json-object.js';
import type { PlanContext, PlanTool, RecordedCall } from '../plan-context.js';
import { finalMemberOf, finalToolOf } from './plan-limits.js';
import { indexTools, producerEdges } from './producer-graph.js';
import { isOk, recordedCalls } from './run-record.js';

/** The result of a call. Of an agent's envelope `{result, response}`, the result, otherwise the text. */
export function callResult(call: RecordedCall, tool: PlanTool | undefined): JsonValue {
  if (call.outcome?.status !== 'ok') return null;
  const { result } = call.outcome;
  if (tool?.kind !== 'agent' || !isJsonObject(result)) return result;
  return result['result'] ?? result['response'] ?? null;
}

/** Results that no other tool of the run took as an argument, by tool name; a single one is returned as it is. */
function leafResult(context: PlanContext): JsonValue {
  const index = indexTools(context.tools);
  const calls = recordedCalls(context).filter((call) => isOk(call) && index.has(call.tool_id));
  const consumed = new Set(
    calls.flatMap((call) => {
      const tool = index.get(call.tool_id);
      return tool ? producerEdges(tool).map((edge) => edge.tool_id) : [];
    }),
  );
  const leaves = new Map<string, JsonValue>();
  for (const call of calls) {
    const tool = index.get(call.tool_id);
    if (tool && !consumed.has(call.tool_id)) leaves.set(tool.name, callResult(call, tool));
  }
  if (leaves.size === 0) return null;
  return leaves.size === 1 ? ([...leaves.values()][0] ?? null) : Object.fromEntries(leaves);
}

/**
 * The structured result of an ending run: the final tool's, otherwise the final-output member's, otherwise the
 * planner's own. A nested member session without any of these returns its leaf results, because its parent works on
 * data.
 */
export function runResult(context: PlanContext, planned?: JsonValue): JsonValue {
  const calls = recordedCalls(context);
  for (const tool of [finalToolOf(context), finalMemberOf(context)]) {
    const call = tool && calls.findLast((each) => each.tool_id === tool.tool_id && isOk(each));
    if (call) return callResult(call, tool);
  }
  if (planned !== undefined) return planned;
  return context.constraints.invocation ? leafResult(context) : null;
}
