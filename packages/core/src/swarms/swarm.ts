import type { Agent } from '../agents/agent.js';
import { asScoped, type AgentDirectory, type AgentTool } from '../agents/agent-directory.js';
import { dependencyDirectory } from '../agents/dependency-directory.js';
import { runNestedAgent, toolHookLayers, type Nesting } from '../agents/nested-session.js';
import { planSession, prepareSession, scopeTools } from '../agents/prepare-session.js';
import type { RunInput } from '../agents/run-starter.js';
import { BaseScope } from '../agents/scope.js';
import {
  askingTools,
  clientOfRuns,
  listAllTools,
  ownPrivateData,
  prepareRun,
} from '../agents/scope-internals.js';
import { createScopeState, requireClient, type ScopeState } from '../agents/scope-state.js';
import { hasCredentialOption } from '../auth/resolve-credentials.js';
import type { Client } from '../client/client.js';
import { ConfigurationError } from '../config/errors.js';
import { parseList, requireOptions } from '../config/options.js';
import { uniqueNames } from '../dependencies/plan-tools.js';
import { present } from '../present.js';
import type { PrivateDataMap } from '../privacy/private-data-map.js';
import type { PrivateValues } from '../privacy/private-values.js';
import type { SessionSetup } from '../session/session-setup.js';
import type { AgentReference } from '../tools/references/injection.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { ToolReference } from '../tools/references/tool-reference.js';
import { checkFinalOutput } from './check-final-output.js';
import { Roster } from './roster.js';
import type { MemberOptions, SwarmOptions } from './swarm-options.js';

/**
 * Several agents under one orchestration. Each member works in its own session, with its own tools and private data and
 * with the swarm's; no member sees another's.
 */
export class Swarm extends BaseScope {
  readonly #state: ScopeState;
  readonly #roster: Roster;
  #client: Client | undefined;
  #ownedClient: Client | undefined;

  /**
   * Without its own client or credential option, a swarm uses the client of its first member; an empty swarm resolves
   * its client from the environment on first use.
   */
  constructor(options: SwarmOptions) {
    const { agents } = requireOptions(options, 'Swarm');
    const state = createScopeState('swarm', options, ['agents']);
    super(state, options.tools);
    this.#state = state;
    this.#roster = new Roster(state.name);
    if (options.client) this.#client = requireClient(`The swarm '${state.name}'`, options);
    else if (hasCredentialOption(options)) this.#own(requireClient(`The swarm '${state.name}'`, options));
    for (const agent of parseList(agents, 'agents', `The swarm '${state.name}'`)) this.addAgent(agent);
  }

  /** The client of its runs; `undefined` before the first run of a swarm without members or its own client. */
  get client(): Client | undefined {
    return this.#client ?? this.#roster.list()[0]?.parts.client;
  }

  /** Adds a member, optionally with results of others to inject. */
  addAgent(agent: Agent, options?: MemberOptions): this {
    this.#roster.add(agent, options);
    return this;
  }

  /** Returns the member with that name. */
  getAgent(name: string): Agent | undefined {
    return this.listAgents().find((agent) => agent.name === name);
  }

  /** Returns the members in the order in which they were added. */
  listAgents(): readonly Agent[] {
    return this.#roster.list().map(({ agent }) => agent);
  }

  /** Closes the swarm, but neither its members nor a client passed in. */
  override async close(): Promise<void> {
    try {
      await super.close();
    } finally {
      await this.#ownedClient?.close();
    }
  }

  /** @internal */
  protected override [clientOfRuns](): Client {
    this.#client = this.client;
    return this.#client ?? this.#own(requireClient(`The swarm '${this.name}'`, {}));
  }

  /** Keeps a client that the swarm closes itself. */
  #own(client: Client): Client {
    this.#client = client;
    this.#ownedClient = client;
    return client;
  }

  /** @internal */
  protected override [ownPrivateData](): readonly PrivateDataMap[] {
    const members = this.#roster.list().map(({ parts }) => parts.state.privateData);
    return [...super[ownPrivateData](), ...members];
  }

  /** @internal */
  protected override [askingTools](): readonly Tool[] {
    const tools = this.#roster.list().flatMap(({ parts, tool }) => [tool, ...parts.state.registry.list()]);
    return [...super[askingTools](), ...tools];
  }

  /** @internal */
  protected override async [prepareRun](input: RunInput): Promise<SessionSetup> {
    const state = this.#state;
    const { context, options, callPrivateData, deliveryMode } = input;
    const members = this.#roster.list();
    const [entry] = members;
    if (!entry) {
      throw new ConfigurationError(
        `The swarm '${state.name}' has no members. Set agents, or add one with addAgent().`,
        { code: 'SWARM_EMPTY' },
      );
    }
    const swarmTools = await this[listAllTools](context.signal);
    // In parallel: each may have servers to connect to.
    const listing = members.map(
      async ({ agent, parts }) => [agent.name, await parts.listAllTools(context.signal)] as const,
    );
    const toolsOf = new Map(await Promise.all(listing));
    const forceFinalTool = options.forceFinalTool ?? false;
    // A structured output is the final tool itself.
    const needsFinalTool = forceFinalTool && !input.structuredOutput;
    checkFinalOutput({ members, swarmTools, toolsOf, forceFinalTool: needsFinalTool });
    const hasFinalTool = swarmTools.some(({ finalTool }) => finalTool);
    const privateData = [callPrivateData, state.privateData];
    const shared = scopeTools(state, swarmTools, privateData);
    const nesting = { swarm: state, swarmTools: shared, callPrivateData, deliveryMode };
    const directory = this.#directory(nesting, context.privateValues);
    // A conflict in a member's session is reported before any request, not when the planner calls the member.
    for (const { agent, parts } of members) {
      const own = scopeTools(parts.state, toolsOf.get(agent.name) ?? [], privateData);
      planSession([...own, ...shared], directory);
    }
    const nameOf = (reference: ToolReference) => state.registry.nameOf(reference);
    const memberTools = members.map(({ tool }) => asScoped({ tool, nameOf }));
    // Names must be unique, even among tools that are never in the same session.
    uniqueNames([...memberTools, ...shared]);
    return prepareSession({
      ...input,
      startId: context.runId,
      state,
      client: this[clientOfRuns](),
      // The swarm's own tools belong to its members; the root plans with them only for the final output.
      tools: [...memberTools, ...(hasFinalTool || forceFinalTool || needToolResults(members) ? shared : [])],
      directory,
      agentId: entry.agent.id,
      privateData,
      swarmConfig: {
        invocation_intent: true,
        swarm_id: state.id,
        swarm_name: state.name,
        ...present({ swarm_description: state.description, swarm_system_prompt: state.systemPrompt }),
        agent_roster: this.#roster.compile(toolsOf),
        agent_invocation_tool_map: Object.fromEntries(members.map(({ agent, tool }) => [agent.id, tool.id])),
        swarm_has_final_tool: hasFinalTool,
      },
      origin: { agentName: null, swarmName: state.name },
      hookLayers: toolHookLayers(state, undefined),
      openedBy: undefined,
    });
  }

  /** Finds members by agent or name first, then any agent that a tool refers to directly. */
  #directory(nesting: Omit<Nesting, 'directory'>, privateValues: PrivateValues): AgentDirectory {
    const findMember = (agent: AgentReference | string): AgentTool | undefined => {
      const member = this.#roster.find(agent);
      return (
        member && {
          tool: member.tool,
          agentId: member.agent.id,
          invoke: async (call) => runNestedAgent(member.parts, call, { ...nesting, directory }),
          nameOf: (reference) => this.#state.registry.nameOf(reference),
        }
      );
    };
    const byAgent = dependencyDirectory(nesting, privateValues, findMember);
    const directory: AgentDirectory = {
      find: (agent) => (typeof agent === 'string' ? findMember(agent) : byAgent.find(agent)),
    };
    return directory;
  }
}

/** Whether a member receives a result of one of the swarm's own tools. */
function needToolResults(members: ReturnType<Roster['list']>): boolean {
  return members.some(({ tool }) => [...tool.inject.values()].some(({ kind }) => kind === 'tool'));
}
