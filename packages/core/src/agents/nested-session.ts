import type { SessionRequestInput } from '@svc/contracts/orchestrator';
import type { StreamEvent } from '../compile/stream-event.js';
import { mergeMemoryConfig } from '../invocation/memory-config.js';
import type { RunOptions } from '../invocation/run-options.js';
import { listPrivateValues, type PrivateDataMap } from '../privacy/private-data-map.js';
import { present } from '../present.js';
import type { PrivateValues } from '../privacy/private-values.js';
import { MAX_RESULT_BYTES } from '../tools/declaration/build-tool.js';
import { serializeResult } from '../tools/execution/serialize-result.js';
import { HumanMessage } from '../messages/message.js';
import type { InvokeResponse } from '../session/invoke-response.js';
import { runSession } from '../session/run-session.js';
import type { AgentCall, HookLayer } from '../session/session-setup.js';
import type { OwnedHooks } from '../session/tool-hooks.js';
import type { ScopedTool } from '../dependencies/plan-tools.js';
import type { AgentResult } from '../tools/references/injection.js';
import type { AgentDirectory } from './agent-directory.js';
import type { AgentParts } from './agent-parts.js';
import { AgentCallSchema, type AgentCallArguments } from './agent-tool.js';
import { forwardMemberEvent } from './forward-member-event.js';
import { memberContext, withMemberTimeout } from './member-context.js';
import { checkForcedFinalTool, prepareSession, scopeTools } from './prepare-session.js';
import { withScopeHooks } from './scope-hooks.js';
import type { ScopeState } from './scope-state.js';

/** The context of an agent that another session calls. */
export interface Nesting {
  /** The swarm of which the agent is a member; absent if it runs only because a tool depends on it. */
  readonly swarm: ScopeState | undefined;
  /** The tools of the swarm, which every member has. */
  readonly swarmTools: readonly ScopedTool[];
  readonly directory: AgentDirectory;
  /** Private values of the call that started the run; all its agents have them. */
  readonly callPrivateData: PrivateDataMap;
  readonly deliveryMode: 'invoke' | 'stream';
}

/** Runs an agent in its own session and returns its result. A failed session rejects. */
export async function runNestedAgent(
  agent: AgentParts,
  call: AgentCall,
  nesting: Nesting,
): Promise<AgentResult> {
  const context = memberContext(call.context, agent);
  const args = AgentCallSchema.parse(call.args);
  const { swarm } = nesting;
  const dependencies = serializeInjected(call);
  hideAgentValues(agent, context.privateValues);
  const options = nestedOptions(agent, args, swarm);
  const tools = [
    ...scopeTools(agent.state, await agent.listAllTools(context.workSignal), privateDataOf(agent, nesting)),
    ...nesting.swarmTools,
  ];
  checkForcedFinalTool(tools, options);
  const setup = prepareSession({
    startId: context.runtime.uuid(),
    state: agent.state,
    client: agent.client,
    messages: [new HumanMessage(composePrompt(args.prompt, dependencies))],
    context,
    options,
    tools,
    directory: nesting.directory,
    agentId: agent.state.id,
    privateData: privateDataOf(agent, nesting),
    swarmConfig: nestedSwarmConfig(agent, args, { ...call, injected: dependencies }, nesting),
    structuredOutput: undefined,
    deliveryMode: nesting.deliveryMode,
    timeoutMs: agent.state.runOptions.timeoutMs ?? agent.client.timeoutMs,
    origin: { agentName: agent.state.name, swarmName: swarm?.name ?? null },
    hookLayers: toolHookLayers(swarm, agent.state),
    openedBy: call,
  });
  const names = { agentName: agent.state.name, swarmName: swarm?.name };
  const show = async (event: StreamEvent) => {
    const forwarded = forwardMemberEvent(event, { ...names, callId: call.call.id });
    if (forwarded) await context.emit(forwarded);
  };
  return withScopeHooks(assignmentHooks(swarm, agent.state), context, async () =>
    withMemberTimeout(agent, context, async (timed) => readResult(await runSession(setup, timed, show))),
  );
}

/** Hides an agent's private values and API key from everything that leaves the run. */
export function hideAgentValues({ state, client }: AgentParts, values: PrivateValues): void {
  values.follow(state, () => listPrivateValues(state.privateData));
  values.hideKey(client.config.apiKey);
}

/** Returns the injected results in the form that may leave the process: JSON without private values. */
function serializeInjected({ injected, context, call }: AgentCall): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(injected).map(([name, value]) => [
      name,
      context.privateValues.clean(serializeResult(value, call.toolName, MAX_RESULT_BYTES)),
    ]),
  );
}

/** The call's private values, then the member's own, then the swarm's. */
function privateDataOf(agent: AgentParts, { callPrivateData, swarm }: Nesting): PrivateDataMap[] {
  return [callPrivateData, agent.state.privateData, ...(swarm ? [swarm.privateData] : [])];
}

/** Returns the prompt, followed by the results of other tools and agents. */
function composePrompt(prompt: string, injected: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(injected).sort();
  if (names.length === 0) return prompt;
  const sorted = Object.fromEntries(names.map((name) => [name, injected[name]]));
  return `${prompt}\n\nDependency context:\n${JSON.stringify(sorted, null, 2)}`;
}

function nestedOptions(
  agent: AgentParts,
  args: AgentCallArguments,
  swarm: ScopeState | undefined,
): RunOptions {
  const { runOptions } = agent.state;
  const memoryConfig = mergeMemoryConfig(swarm?.runOptions.memoryConfig, runOptions.memoryConfig);
  return {
    ...runOptions,
    ...(memoryConfig ? { memoryConfig } : {}),
    ...(args.model ? { model: args.model } : {}),
    forceFinalTool: args.force_final_tool ?? runOptions.forceFinalTool ?? false,
    ...(args.memory_recall_turn_active
      ? { memoryAssetsConfig: { ...runOptions.memoryAssetsConfig, recallTurnActive: true } }
      : {}),
  };
}

function nestedSwarmConfig(
  agent: AgentParts,
  args: AgentCallArguments,
  call: AgentCall,
  nesting: Nesting,
): SessionRequestInput['swarm_config'] {
  const keys = Object.keys(call.injected);
  return {
    agent_roster: [],
    agent_invocation_tool_map: {},
    agent_invocation: true,
    use_as_final_output: args.use_as_final_output ?? false,
    invoked_agent_id: agent.state.id,
    invoked_agent_name: agent.state.name,
    included_nested_synthesis: args.included_nested_synthesis ?? agent.includedNestedSynthesis,
    sdk_delivery_mode: nesting.deliveryMode,
    swarm_has_final_tool: false,
    parent_session_id: call.parentSessionId,
    parent_tool_event_id: call.call.id,
    ...(keys.length > 0
      ? { agent_dependency_context: call.injected, agent_dependency_context_keys: keys }
      : {}),
  };
}

/** Returns the hooks around each tool call of a session, the swarm's outermost. */
export function toolHookLayers(swarm: ScopeState | undefined, agent: ScopeState | undefined): HookLayer[] {
  return [
    ...(swarm?.hookMode === 'tool' ? [{ source: 'swarm' as const, hooks: swarm.hooks }] : []),
    ...(agent?.hookMode === 'tool' ? [{ source: 'scope' as const, hooks: agent.hooks }] : []),
  ];
}

/** Returns the hooks around a whole assignment: the swarm's in mode `agent`, and the agent's own that run once. */
function assignmentHooks(swarm: ScopeState | undefined, agent: ScopeState): OwnedHooks[] {
  const target = { targetType: 'agent', targetId: agent.id, targetName: agent.name } as const;
  return [
    ...(swarm?.hookMode === 'agent' ? [{ ...target, hooks: swarm.hooks, source: 'swarm' as const }] : []),
    ...(agent.hookMode === 'tool' ? [] : [{ ...target, hooks: agent.hooks, source: 'scope' as const }]),
  ];
}

function readResult({ result, response, assistantId, tokenUsage }: InvokeResponse): AgentResult {
  return {
    result,
    ...present({ response: response || undefined, assistant_id: assistantId, token_usage: tokenUsage }),
  };
}
