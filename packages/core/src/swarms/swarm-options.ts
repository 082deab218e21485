import type { Agent } from '../agents/agent.js';
import type { ScopeOptions } from '../agents/scope-options.js';
import type { Injections } from '../tools/injection.js';

/** What a swarm says besides what agents say. Its own tools are there for every member. */
export interface SwarmOptions extends ScopeOptions {
  /** The members; the first one enters for the swarm. */
  agents?: readonly Agent[] | undefined;
}

/** What a swarm says of one member. */
export interface MemberOptions {
  /** Results of other members and of the swarm's tools that this member is told with every assignment. */
  inject?: Injections | undefined;
}
