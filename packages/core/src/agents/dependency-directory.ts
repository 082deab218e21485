import type { AgentReference } from '../tools/references/injection.js';
import type { PrivateValues } from '../privacy/private-values.js';
import { nameOfReference } from '../tools/references/tool-reference.js';
import type { AgentDirectory, AgentTool } from './agent-directory.js';
import { agentPartsOf } from './agent-parts.js';
import { createAgentTool } from './agent-tool.js';
import { hideAgentValues, runNestedAgent, type Nesting } from './nested-session.js';

/** The parts of a run that every agent in it shares. */
type SharedNesting = Pick<Nesting, 'callPrivateData' | 'deliveryMode'>;

/**
 * Creates a directory that finds the agents that tools depend on by reference; names identify only members of a swarm.
 * The private values of an agent are hidden from the start of the run, because other tools may return the same values.
 * An agent that is not a member of the run's swarm gets nothing from the swarm.
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
      hideAgentValues(parts, privateValues);
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
