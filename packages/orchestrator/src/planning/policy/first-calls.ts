import type { PlanTool } from '../plan-context.js';
import type { PlannedCall } from '../plan-step.js';
import { orderings } from './next-calls.js';
import { producerEdges } from './producer-graph.js';

/** The maximum number of calls in one step. */
export const MAX_CALLS_PER_STEP = 64;

/**
 * The calls that fit into one step; the rest is left to later steps. A call that others depend on, by its result or by
 * an order rule, comes before them.
 */
export function firstCalls(
  calls: readonly PlannedCall[],
  tools: readonly PlanTool[],
): readonly PlannedCall[] {
  if (calls.length <= MAX_CALLS_PER_STEP) return calls;
  const places = placesOf(calls, tools);
  const placeOf = ({ tool_id }: PlannedCall) => places.get(tool_id) ?? 0;
  return calls.toSorted((a, b) => placeOf(a) - placeOf(b)).slice(0, MAX_CALLS_PER_STEP);
}

/** The position of each called tool: as in the calls, but after the tools it depends on. */
function placesOf(calls: readonly PlannedCall[], tools: readonly PlanTool[]): ReadonlyMap<string, number> {
  const before = new Map(
    tools.map((tool) => [tool.tool_id, producerEdges(tool).map((edge) => edge.tool_id)] as const),
  );
  for (const { earlier, later } of orderings(tools)) before.get(later)?.push(earlier);
  const places = new Map<string, number>();
  const seen = new Set<string>();
  const visit = (toolId: string): void => {
    if (seen.has(toolId)) return;
    seen.add(toolId);
    for (const each of before.get(toolId) ?? []) visit(each);
    places.set(toolId, places.size);
  };
  for (const { tool_id } of calls) visit(tool_id);
  return places;
}
