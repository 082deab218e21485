import type { PrivateDataMap } from '../privacy/private-data-map.js';
import type { Tool } from '../tools/tool.js';
import { agentPartsOf } from './agent-parts.js';
import type { ScopeState } from './scope-state.js';

/** The private data of the agents that these tools depend on, and of those that the agents' own tools do. What a source brings is not known before it is asked. */
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
