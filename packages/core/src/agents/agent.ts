import type { Client } from '../client/client.js';
import { invalidValue, parseFlag, requireOptions } from '../config/options.js';
import { cycleError } from '../dependencies/errors.js';
import type { SessionSetup } from '../session/session-setup.js';
import type { Tool } from '../tools/declaration/tool.js';
import { registerAgentParts } from './agent-parts.js';
import { dependencyDirectory } from './dependency-directory.js';
import { toolHookLayers } from './nested-session.js';
import { checkForcedFinalTool, prepareSession, scopeTools } from './prepare-session.js';
import type { RunInput } from './run-starter.js';
import { BaseScope } from './scope.js';
import { clientOfRuns, listAllTools, prepareRun } from './scope-internals.js';
import type { AgentOptions } from './scope-options.js';
import { createScopeState, requireClient, type ScopeState } from './scope-state.js';

/** An agent: a prompt, tools that run in this process, and private values that never leave it. */
export class Agent extends BaseScope {
  readonly #state: ScopeState;
  readonly #client: Client;
  readonly #ownsClient: boolean;
  /** Whether this agent's answer is the answer of its swarm. */
  readonly useAsFinalOutput: boolean;
  /** Whether this agent adds prose to its result in a swarm. */
  readonly includedNestedSynthesis: boolean | 'auto';

  /**
   * @throws MissingCredentialError without any credential.
   * @throws ConfigurationError for a named file that cannot be read, or an invalid option.
   */
  constructor(options: AgentOptions) {
    const { useAsFinalOutput, includedNestedSynthesis } = requireOptions(options, 'Agent');
    const state = createScopeState('agent', options, ['useAsFinalOutput', 'includedNestedSynthesis']);
    const owner = `The agent '${state.name}'`;
    super(state, options.tools);
    this.#state = state;
    this.useAsFinalOutput = parseFlag(useAsFinalOutput, 'useAsFinalOutput', owner);
    this.includedNestedSynthesis = parseSynthesis(includedNestedSynthesis, owner);
    this.#client = requireClient(owner, options);
    this.#ownsClient = this.#client !== options.client;
    registerAgentParts(this, {
      state,
      client: this.#client,
      useAsFinalOutput: this.useAsFinalOutput,
      includedNestedSynthesis: this.includedNestedSynthesis,
      listAllTools: async (signal) => this[listAllTools](signal),
    });
  }

  /** The client of this agent. */
  get client(): Client {
    return this.#client;
  }

  override async close(): Promise<void> {
    try {
      await super.close();
    } finally {
      if (this.#ownsClient) await this.#client.close();
    }
  }

  /** @internal */
  protected override async [listAllTools](signal: AbortSignal): Promise<readonly Tool[]> {
    const tools = await super[listAllTools](signal);
    for (const { name, inject } of tools) {
      const dependsOnItself = [...inject.values()].some(
        (injection) =>
          injection.kind === 'agent' && (injection.agent === this || injection.agent === this.name),
      );
      if (dependsOnItself) throw cycleError([this.name, name, this.name]);
    }
    return tools;
  }

  /** @internal */
  protected override [clientOfRuns](): Client {
    return this.#client;
  }

  /** @internal */
  protected override async [prepareRun](input: RunInput): Promise<SessionSetup> {
    const state = this.#state;
    const { context, deliveryMode, callPrivateData } = input;
    const privateData = [callPrivateData, state.privateData];
    const tools = scopeTools(state, await this[listAllTools](context.signal), privateData);
    if (!input.structuredOutput) checkForcedFinalTool(tools, input.options);
    return prepareSession({
      ...input,
      startId: context.runId,
      state,
      client: this.#client,
      tools,
      directory: dependencyDirectory({ callPrivateData, deliveryMode }, context.privateValues),
      agentId: state.id,
      privateData,
      swarmConfig: undefined,
      origin: { agentName: state.name, swarmName: null },
      hookLayers: toolHookLayers(undefined, state),
      openedBy: undefined,
    });
  }
}

function parseSynthesis(value: boolean | 'auto' | undefined, owner: string): boolean | 'auto' {
  const synthesis: unknown = value ?? 'auto';
  if (synthesis === 'auto' || typeof synthesis === 'boolean') return synthesis;
  throw invalidValue(owner, 'includedNestedSynthesis', "true, false or 'auto'", value);
}
