import { RequestError } from '../../errors.js';
import type { PlanTool, ProducerEdge } from '../plan-context.js';

/** The tools whose results a tool's arguments take. */
export function producerEdges(tool: PlanTool): ProducerEdge[] {
  return tool.dependencies.filter(
    (edge): edge is ProducerEdge => edge.type === 'tool' || edge.type === 'agent',
  );
}

/** Ids of the tools that a tool cannot run without, including those of references. */
export function requiredProducers(tool: PlanTool): string[] {
  const produced = producerEdges(tool).filter((edge) => edge.required);
  const referenced = tool.dependencies.filter((edge) => edge.type === 'producer_reference');
  return [...new Set([...produced, ...referenced].map((edge) => edge.tool_id))];
}

/**
 * Ids of the tools that must be planned before a tool or with it. An agent whose answer a tool takes is not among them:
 * the client calls it if the planner does not. Only the prompt of a swarm's member is always the planner's.
 */
export function plannedProducers(tool: PlanTool): string[] {
  if (tool.kind === 'agent') return requiredProducers(tool);
  const agents = new Set(tool.dependencies.flatMap((edge) => (edge.type === 'agent' ? [edge.tool_id] : [])));
  return requiredProducers(tool).filter((id) => !agents.has(id));
}

export type ToolIndex = ReadonlyMap<string, PlanTool>;

/** Tools by id. */
export const indexTools = (tools: readonly PlanTool[]): ToolIndex =>
  new Map(tools.map((tool) => [tool.tool_id, tool]));

/** The given tools and all their dependencies, producers before consumers. */
export function withProducers(toolIds: Iterable<string>, index: ToolIndex): string[] {
  const ordered = new Set<string>();
  const open = new Set<string>();
  const visit = (toolId: string): void => {
    const tool = index.get(toolId);
    if (!tool || ordered.has(toolId) || open.has(toolId)) return;
    open.add(toolId);
    for (const producer of requiredProducers(tool)) visit(producer);
    ordered.add(toolId);
  };
  for (const toolId of toolIds) visit(toolId);
  return [...ordered];
}

/**
 * Refuses tools that depend on one another in a cycle.
 * @throws RequestError `TOOL_CYCLE`, with the cycle in its message
 */
export function refuseCycles(tools: readonly PlanTool[]): void {
  const index = indexTools(tools);
  const done = new Set<string>();
  const visit = (tool: PlanTool, trail: readonly PlanTool[]): void => {
    const at = trail.indexOf(tool);
    if (at >= 0) {
      const way = [...trail.slice(at), tool].map((each) => each.name).join(' → ');
      throw new RequestError(`The tools form a dependency cycle: ${way}. Remove one of these dependencies.`, {
        code: 'TOOL_CYCLE',
        details: { way },
      });
    }
    if (done.has(tool.tool_id)) return;
    for (const edge of producerEdges(tool)) {
      const producer = index.get(edge.tool_id);
      if (producer) visit(producer, [...trail, tool]);
    }
    done.add(tool.tool_id);
  };
  for (const tool of tools) visit(tool, []);
}
