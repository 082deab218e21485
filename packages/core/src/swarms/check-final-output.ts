import { ConfigurationError } from '../config/errors.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { Member } from './roster.js';

/** Checks who gives a swarm's final output: one final tool of the swarm's own, or one designated member. */
export function checkFinalOutput(parts: {
  members: readonly Member[];
  swarmTools: readonly Tool[];
  toolsOf: ReadonlyMap<string, readonly Tool[]>;
  forceFinalTool: boolean;
}): void {
  const { members, swarmTools, toolsOf, forceFinalTool } = parts;
  const hasOwnFinalTool = swarmTools.some(({ finalTool }) => finalTool);
  const designated = members.find(({ parts: { useAsFinalOutput } }) => useAsFinalOutput);
  if (hasOwnFinalTool && designated) {
    throw finalError(
      `has its own final tool and a member with useAsFinalOutput ('${designated.agent.name}'); keep one of them`,
    );
  }
  const owners = members.filter(({ agent }) => toolsOf.get(agent.name)?.some(({ finalTool }) => finalTool));
  if (forceFinalTool && !hasOwnFinalTool && owners.length === 0) {
    throw finalError(
      'has forceFinalTool, but neither the swarm nor a member has a tool with finalTool: true',
    );
  }
  if (
    forceFinalTool &&
    !hasOwnFinalTool &&
    owners.length > 1 &&
    !owners.some((each) => each === designated)
  ) {
    const names = owners.map(({ agent }) => agent.name).join(', ');
    throw finalError(`has several members with a final tool (${names}); give one of them useAsFinalOutput`);
  }
}

function finalError(why: string): ConfigurationError {
  return new ConfigurationError(`The swarm ${why}.`, { code: 'SWARM_FINAL_OUTPUT' });
}
