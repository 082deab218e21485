import type { RosterEntry } from '@svc/contracts/orchestrator';
import type { Agent } from '../agents/agent.js';
import { agentPartsOf, type AgentParts } from '../agents/agent-parts.js';
import { AgentCallSchema, createAgentTool } from '../agents/agent-tool.js';
import { compileMemory, compileMemoryAssets } from '../compile/config.js';
import { ConfigurationError } from '../config/errors.js';
import { kindOf, refuseUnknownOptions } from '../config/options.js';
import { checkInjections } from '../tools/declaration/build-tool.js';
import { declarationError } from '../tools/declaration-error.js';
import type { AgentReference, Injection, Injections } from '../tools/references/injection.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { MemberOptions } from './swarm-options.js';

/** A member of a swarm. */
export interface Member {
  readonly agent: Agent;
  readonly parts: AgentParts;
  /** The tool that calls the member. */
  readonly tool: Tool;
}

/** The members of a swarm by name. */
export class Roster {
  readonly #members = new Map<string, Member>();
  readonly #swarmName: string;

  constructor(swarmName: string) {
    this.#swarmName = swarmName;
  }

  /** Adds a member. Names must be unique; at most one member gives the final output. */
  add(agent: Agent, options?: MemberOptions): void {
    refuseUnknownOptions(options ?? {}, ['inject'], 'addAgent');
    const parts = agentPartsOf(agent);
    if (!parts) throw memberError(`a member must be an Agent, got ${kindOf(agent)}`, this.#swarmName);
    if (this.#members.has(agent.name))
      throw memberError(`it already has a member named '${agent.name}'`, this.#swarmName);
    const owner = this.list().find((member) => member.parts.useAsFinalOutput);
    if (owner && parts.useAsFinalOutput) {
      throw memberError(
        `'${owner.agent.name}' and '${agent.name}' both have useAsFinalOutput, but only one member may`,
        this.#swarmName,
      );
    }
    const inject = parseMemberInjections(options?.inject ?? {}, agent.name);
    this.#members.set(agent.name, { agent, parts, tool: createAgentTool(parts, inject) });
  }

  /** Returns the members in the order in which they were added. */
  list(): readonly Member[] {
    return [...this.#members.values()];
  }

  /** Returns the member that is this agent or has this name. */
  find(agent: AgentReference | string): Member | undefined {
    const member = this.#members.get(typeof agent === 'string' ? agent : agent.name);
    return typeof agent === 'string' || member?.agent === agent ? member : undefined;
  }

  /** Compiles the roster for the orchestrator; `toolsOf` contains the tools of every member. */
  compile(toolsOf: ReadonlyMap<string, readonly Tool[]>): RosterEntry[] {
    return this.list().map(({ agent, parts, tool }) => {
      const { memoryConfig, memoryAssetsConfig } = parts.state.runOptions;
      const assets = compileMemoryAssets(memoryAssetsConfig ?? {});
      const tools = toolsOf.get(agent.name) ?? [];
      return {
        agent_id: agent.id,
        name: agent.name,
        ...(agent.description === undefined ? {} : { description: agent.description }),
        use_as_final_output: parts.useAsFinalOutput,
        included_nested_synthesis: parts.includedNestedSynthesis,
        has_final_tool: tools.some(({ finalTool }) => finalTool),
        invocation_tool_id: tool.id,
        invokes_via_dependency: this.#invokedBy(tools),
        ...(memoryConfig ? { memory_config: compileMemory(memoryConfig) } : {}),
        memory_defined_skills: assets?.defined_skills ?? [],
        memory_bound_resources: assets?.bound_resources ?? [],
      };
    });
  }

  /** Returns the names of members that are called because a tool depends on them; planners do not schedule them again. */
  #invokedBy(tools: readonly Tool[]): string[] {
    const injections: Injection[] = tools.flatMap(({ inject }) => [...inject.values()]);
    const names = injections.flatMap((injection) =>
      injection.kind === 'agent' ? (this.find(injection.agent)?.agent.name ?? []) : [],
    );
    return [...new Set(names)];
  }
}

/** Checks a member's injections: only results can be injected, and not as one of its own arguments. */
function parseMemberInjections(inject: Injections, member: string): Injections {
  checkInjections(inject, `the member '${member}'`);
  const reserved = Object.keys(AgentCallSchema.shape);
  for (const [argument, injection] of Object.entries(inject)) {
    if (reserved.includes(argument)) {
      throw declarationError(
        'SWARM_RESERVED_ARGUMENT',
        `The member '${member}' cannot inject '${argument}': the name is reserved.`,
        { argument },
      );
    }
    if (injection.kind === 'private_data' || injection.kind === 'interrupt') {
      throw declarationError(
        'SWARM_INVALID_DEPENDENCY',
        `The member '${member}' can depend only on agents and tools.`,
        { argument },
      );
    }
    if (
      injection.kind === 'agent' &&
      (typeof injection.agent === 'string' ? injection.agent : injection.agent.name) === member
    ) {
      throw declarationError('SWARM_INVALID_DEPENDENCY', `The member '${member}' cannot depend on itself.`, {
        argument,
      });
    }
  }
  return inject;
}

function memberError(why: string, swarmName: string): ConfigurationError {
  return new ConfigurationError(`Cannot add the member to the swarm '${swarmName}': ${why}.`, {
    code: 'SWARM_MEMBER',
  });
}
