import type { AgentReference } from '../tools/injection.js';
import type { PrivateValues } from '../privacy/private-values.js';
import { nameOfReference } from '../tools/tool-reference.js';
import type { AgentDirectory, AgentTool } from './agent-directory.js';
import { agentPartsOf } from './agent-parts.js';
import { createAgentTool } from './agent-tool.js';
import { keepAgentPrivate, runNestedAgent, type Nesting } from './nested-session.js';

/**
 * Finds the agents that tools depend on by the agent itself. In no swarm, a name alone says too little. What is private
 * to one is hidden from the first on, not only once it runs: tools that stand together may tell of the same.
 */
export function dependencyDirectory(
  nesting: Omit<Nesting, 'directory'>,
  privateValues: PrivateValues,
): AgentDirectory {
  const known = new Map<AgentReference, AgentTool>();
  const directory: AgentDirectory = {
    find(agent: AgentReference | string) {
      const parts = typeof agent === 'string' ? undefined : agentPartsOf(agent);
      if (typeof agent === 'string' || !parts) return undefined;
      const found = known.get(agent);
      if (found) return found;
      keepAgentPrivate(parts, privateValues);
      const made: AgentTool = {
        tool: createAgentTool(parts),
        agentId: parts.state.id,
        invoke: async (call) => runNestedAgent(parts, call, { ...nesting, directory }),
        nameOf: nameOfReference,
      };
      known.set(agent, made);
      return made;
    },
    toolNameOf: (agent) => directory.find(agent)?.tool.name,
  };
  return directory;
}
