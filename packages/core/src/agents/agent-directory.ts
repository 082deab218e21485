import type { ScopedTool } from '../dependencies/plan-tools.js';
import type { AgentInvoker } from '../session/session-setup.js';
import type { AgentReference } from '../tools/injection.js';
import type { Tool } from '../tools/tool.js';

/** A tool that calls an agent, and how the call is done. */
export interface AgentTool {
  readonly tool: Tool;
  readonly agentId: string;
  readonly invoke: AgentInvoker;
}

/** The agents that the tools of a session may depend on. */
export interface AgentDirectory {
  /** The tool that calls an agent; `undefined` if it is unknown here. */
  find(agent: AgentReference | string): AgentTool | undefined;
  /** The name of that tool. */
  toolNameOf(agent: AgentReference | string): string | undefined;
}

/** The tools with one more for every agent they depend on, and how those agents are run. */
export function collectAgentTools(
  tools: readonly ScopedTool[],
  directory: AgentDirectory,
): { tools: ScopedTool[]; agents: Map<string, { agentId: string; invoke: AgentInvoker }> } {
  const all = [...tools];
  const agents = new Map<string, { agentId: string; invoke: AgentInvoker }>();
  const names = new Set(tools.map(({ tool }) => tool.name));
  for (const { tool } of tools) {
    for (const injection of tool.inject.values()) {
      if (injection.kind !== 'agent') continue;
      const found = directory.find(injection.agent);
      if (!found || names.has(found.tool.name)) continue;
      names.add(found.tool.name);
      all.push(asScoped(found));
    }
  }
  for (const { tool } of all) {
    const found = tool.kind === 'agent' ? directory.find(tool.name) : undefined;
    if (found) agents.set(tool.name, { agentId: found.agentId, invoke: found.invoke });
  }
  return { tools: all, agents };
}

/** An agent tool among the tools of a session. It has no private values of its own. */
export function asScoped({ tool }: AgentTool): ScopedTool {
  return {
    tool,
    nameOf: (reference) => (typeof reference === 'string' ? reference : reference.name),
    readPrivate: () => undefined,
  };
}
