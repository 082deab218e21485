import { ConfigurationError } from '../config/errors.js';
import type { ScopedTool } from '../dependencies/plan-tools.js';
import type { CallableAgent } from '../session/session-setup.js';
import type { AgentReference } from '../tools/references/injection.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { ToolReference } from '../tools/references/tool-reference.js';

/** A tool that calls an agent, and how the call is made. */
export interface AgentTool extends CallableAgent {
  readonly tool: Tool;
  /** Returns the registered name of a tool whose result the agent receives. */
  readonly nameOf: (reference: ToolReference) => string;
}

/** The agents that the tools of a session may depend on. */
export interface AgentDirectory {
  /** Returns the tool that calls an agent; `undefined` for an unknown agent. */
  find(agent: AgentReference | string): AgentTool | undefined;
}

/** Returns the tools plus one for every agent that they depend on, and how those agents are run. */
export function collectAgentTools(
  tools: readonly ScopedTool[],
  directory: AgentDirectory,
): { tools: ScopedTool[]; agents: Map<string, CallableAgent> } {
  const all = [...tools];
  const agents = new Map<string, CallableAgent>();
  const byName = new Map(tools.map(({ tool }) => [tool.name, tool]));
  // An added agent may depend on others itself: they follow in the same list.
  for (const { tool } of all) {
    // An agent added below is known by reference: a member may have the same name.
    const isKnown = tool.kind !== 'agent' || agents.has(tool.name);
    const own = isKnown ? undefined : directory.find(tool.name);
    if (own) agents.set(tool.name, own);
    for (const injection of tool.inject.values()) {
      if (injection.kind !== 'agent') continue;
      const found = directory.find(injection.agent);
      const holder = found && byName.get(found.tool.name);
      if (!found || holder === found.tool) continue;
      if (holder) throw nameTaken(found.tool.name);
      byName.set(found.tool.name, found.tool);
      all.push(asScoped(found));
      agents.set(found.tool.name, found);
    }
  }
  return { tools: all, agents };
}

function nameTaken(name: string): ConfigurationError {
  return new ConfigurationError(
    `A tool depends on an agent named '${name}', but another tool or agent in this run has the same name. Rename one of them.`,
    { code: 'TOOL_DUPLICATE_NAME', details: { name } },
  );
}

/** Wraps an agent tool for the tools of a session. It has no private values of its own. */
export function asScoped({ tool, nameOf }: Pick<AgentTool, 'tool' | 'nameOf'>): ScopedTool {
  return { tool, nameOf, readPrivate: () => undefined };
}
