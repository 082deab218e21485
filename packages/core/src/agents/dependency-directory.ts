import type { AgentReference } from '../tools/injection.js';
import { nameOfReference } from '../tools/tool-reference.js';
import type { AgentDirectory, AgentTool } from './agent-directory.js';
import { agentPartsOf } from './agent-parts.js';
import { createAgentTool } from './agent-tool.js';
import { runNestedAgent, type Nesting } from './nested-session.js';

/** Finds the agents that tools depend on by the agent itself. In no swarm, a name alone says too little. */
export function dependencyDirectory(nesting: Omit<Nesting, 'directory'>): AgentDirectory {
  const known = new Map<AgentReference, AgentTool>();
  const directory: AgentDirectory = {
    find(agent: AgentReference | string) {
      const parts = typeof agent === 'string' ? undefined : agentPartsOf(agent);
      if (typeof agent === 'string' || !parts) return undefined;
      const found = known.get(agent) ?? {
        tool: createAgentTool(parts),
        agentId: parts.state.id,
        invoke: async (call) => runNestedAgent(parts, call, { ...nesting, directory }),
        nameOf: nameOfReference,
      };
      known.set(agent, found);
      return found;
    },
    toolNameOf: (agent) => directory.find(agent)?.tool.name,
  };
  return directory;
}
