import type { Client } from '../client/client.js';
import type { Tool } from '../tools/tool.js';
import type { ScopeState } from './scope-state.js';

/** What swarms and dependencies need of an agent, and its users do not. */
export interface AgentParts {
  readonly state: ScopeState;
  readonly client: Client;
  readonly useAsFinalOutput: boolean;
  readonly includedNestedSynthesis: boolean | 'auto';
  /** Its tools, those of its sources included. */
  listAllTools(signal: AbortSignal): Promise<readonly Tool[]>;
}

const parts = new WeakMap<object, AgentParts>();

/** Makes an agent known under its public object. */
export function registerAgentParts(agent: object, own: AgentParts): void {
  parts.set(agent, own);
}

/** The parts of an agent; `undefined` for anything else. */
export function agentPartsOf(agent: object): AgentParts | undefined {
  return parts.get(agent);
}
