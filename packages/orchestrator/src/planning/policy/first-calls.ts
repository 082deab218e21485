import type { PlanTool } from '../plan-context.js';
import type { PlannedCall } from '../plan-step.js';
import { orderings } from './next-calls.js';
import { producerEdges } from './producer-graph.js';

/** Calls one step may hold. */
export const MAX_CALLS_PER_STEP = 64;

/**
 * As many of the calls as one step may hold; the others are for the steps after it. A call that others come after, by
 * its result or by an order rule, comes before them.
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

/** Ids of the called tools with their places: as the calls stand, but behind what they come after. */
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
