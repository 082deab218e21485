import type { Agent } from '../agents/agent.js';
import type { ScopeOptions } from '../agents/scope-options.js';
import type { Injections } from '../tools/references/injection.js';

/** Options of a {@link Swarm}. The swarm's own tools are available to every member. */
export interface SwarmOptions extends ScopeOptions {
  /** The members; the first one is the entry agent. */
  agents?: readonly Agent[] | undefined;
}

/** Options of one member. */
export interface MemberOptions {
  /** Results of other members and of the swarm's tools that are injected into every assignment of this member. */
  inject?: Injections | undefined;
}
