import type { Client } from '../client/client.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { ScopeState } from './scope-state.js';

/** The parts of an agent that swarms and dependencies need and its users do not. */
export interface AgentParts {
  readonly state: ScopeState;
  readonly client: Client;
  readonly useAsFinalOutput: boolean;
  readonly includedNestedSynthesis: boolean | 'auto';
  /** Lists its tools, including those of its sources. */
  listAllTools(signal: AbortSignal): Promise<readonly Tool[]>;
}

const parts = new WeakMap<object, AgentParts>();

/** Registers the parts of an agent. */
export function registerAgentParts(agent: object, own: AgentParts): void {
  parts.set(agent, own);
}

/** Returns the parts of an agent; `undefined` for anything else. */
export function agentPartsOf(agent: object): AgentParts | undefined {
  return parts.get(agent);
}
