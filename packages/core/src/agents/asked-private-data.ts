import type { PrivateDataMap } from '../privacy/private-data-map.js';
import type { Tool } from '../tools/declaration/tool.js';
import { agentPartsOf } from './agent-parts.js';
import type { ScopeState } from './scope-state.js';

/**
 * Returns the private data of the agents that these tools depend on, directly or through the agents' own tools. The
 * tools of a source are not known in advance.
 */
export function askedPrivateData(tools: readonly Tool[]): readonly PrivateDataMap[] {
  const asked = new Set<ScopeState>();
  const visit = ({ inject }: Tool): void => {
    for (const injection of inject.values()) {
      if (injection.kind !== 'agent' || typeof injection.agent === 'string') continue;
      const state = agentPartsOf(injection.agent)?.state;
      if (!state || asked.has(state)) continue;
      asked.add(state);
      state.registry.list().forEach(visit);
    }
  };
  tools.forEach(visit);
  return [...asked].map(({ privateData }) => privateData);
}
