import type { AgentReference } from '../tools/injection.js';
import type { PrivateValues } from '../privacy/private-values.js';
import { nameOfReference } from '../tools/tool-reference.js';
import type { AgentDirectory, AgentTool } from './agent-directory.js';
import { agentPartsOf } from './agent-parts.js';
import { createAgentTool } from './agent-tool.js';
import { keepAgentPrivate, runNestedAgent, type Nesting } from './nested-session.js';

/** What of a run is for every agent in it, whoever depends on it. */
type SharedNesting = Pick<Nesting, 'callPrivateData' | 'deliveryMode'>;

/**
 * Finds the agents that tools depend on by the agent itself. In no swarm, a name alone says too little. What is private
 * to one is hidden from the first on, not only once it runs: tools that stand together may tell of the same. One that is
 * no member of the run's swarm has nothing of the swarm's.
 */
export function dependencyDirectory(
  nesting: SharedNesting,
  privateValues: PrivateValues,
  findMember: (agent: AgentReference) => AgentTool | undefined = () => undefined,
): AgentDirectory {
  const known = new Map<AgentReference, AgentTool>();
  const directory: AgentDirectory = {
    find(agent: AgentReference | string) {
      const parts = typeof agent === 'string' ? undefined : agentPartsOf(agent);
      if (typeof agent === 'string' || !parts) return undefined;
      const found = findMember(agent) ?? known.get(agent);
      if (found) return found;
      keepAgentPrivate(parts, privateValues);
      const made: AgentTool = {
        tool: createAgentTool(parts),
        agentId: parts.state.id,
        invoke: async (call) =>
          runNestedAgent(parts, call, { ...nesting, swarm: undefined, swarmTools: [], directory }),
        nameOf: nameOfReference,
      };
      known.set(agent, made);
      return made;
    },
  };
  return directory;
}
