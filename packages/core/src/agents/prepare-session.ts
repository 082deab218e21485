import type { PrivateDataField, SessionRequestInput } from '@svc/contracts/orchestrator';
import type { Client } from '../client/client.js';
import { cleanRequest } from '../compile/clean-request.js';
import { compileMessages } from '../compile/messages.js';
import { compileRequest } from '../compile/request.js';
import type { EventOrigin } from '../compile/stream-event.js';
import { ConfigurationError } from '../config/errors.js';
import { detectTimezone } from '../config/timezone.js';
import type { OpeningCall } from '../dependencies/call-book.js';
import type { PlannedTools } from '../dependencies/planned-tool.js';
import { planTools, withProducers, type ScopedTool } from '../dependencies/plan-tools.js';
import type { RunOptions } from '../invocation/run-options.js';
import type { Message } from '../messages/message.js';
import { describePrivateData, readPrivateValue, type PrivateDataMap } from '../privacy/private-data-map.js';
import type { RunContext } from '../session/run-context.js';
import type { HookLayer, SessionSetup } from '../session/session-setup.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { ToolReference } from '../tools/references/tool-reference.js';
import { collectAgentTools, type AgentDirectory } from './agent-directory.js';
import type { ScopeState } from './scope-state.js';

/** The input for preparing a session of a scope. */
export interface SessionInput {
  /** Identifies the start: the orchestrator opens no second session for a repeated one. */
  readonly startId: string;
  readonly state: ScopeState;
  readonly client: Client;
  /** Already redacted. */
  readonly messages: readonly Message[];
  /** Its private values are removed from the whole request. */
  readonly context: Pick<RunContext, 'privateValues'>;
  readonly options: RunOptions;
  readonly tools: readonly ScopedTool[];
  /** Finds the agents that tools depend on. */
  readonly directory: AgentDirectory;
  readonly agentId: string;
  readonly privateData: readonly PrivateDataMap[];
  readonly swarmConfig: SessionRequestInput['swarm_config'];
  readonly structuredOutput: Tool | undefined;
  readonly deliveryMode: 'invoke' | 'stream';
  readonly timeoutMs: number;
  readonly origin: EventOrigin;
  readonly hookLayers: readonly HookLayer[];
  readonly openedBy: OpeningCall | undefined;
}

/** Resolves and validates the tools, and compiles the request of one session. Sends nothing. */
export function prepareSession(input: SessionInput): SessionSetup {
  const { options, messages, structuredOutput, state } = input;
  const { privateValues } = input.context;
  const own = structuredOutput ? withFinalOutput(input, structuredOutput) : input.tools;
  const { planned, agents } = planSession(own, input.directory);
  const targeted = selectTargets(planned, input);
  const forceFinalTool = structuredOutput !== undefined || options.forceFinalTool === true;
  return {
    request: cleanRequest(
      compileRequest({
        clientId: `sdk-${input.startId}`,
        threadId: options.threadId ?? input.client.threadId,
        agentId: input.agentId,
        messages: compileMessages(messages, state.systemPrompt),
        planned,
        options: { ...options, forceFinalTool },
        targetedTools: targeted,
        structuredOutput: structuredOutput?.name,
        privateData: describeAll(input.privateData),
        swarmConfig: input.swarmConfig,
        deliveryMode: input.deliveryMode,
        timezone: input.client.timezone,
        deploymentTimezone: detectTimezone(),
        timeoutMs: input.timeoutMs,
      }),
      privateValues,
    ),
    planned,
    agents,
    origin: input.origin,
    hookLayers: input.hookLayers,
    defaultPrompt: privateValues.cleanText(lastUserText(messages)),
    openedBy: input.openedBy,
  };
}

/** Plans the tools of a session with the agents that they depend on. Throws if they conflict. */
export function planSession(
  own: readonly ScopedTool[],
  directory: AgentDirectory,
): Pick<SessionSetup, 'planned' | 'agents'> {
  const { tools, agents } = collectAgentTools(own, directory);
  const planned = planTools(tools);
  refuseSeveralFinalTools(planned);
  return { planned, agents };
}

/** Describes all private values. The first value with a name counts, as when a tool reads it. */
function describeAll(privateData: readonly PrivateDataMap[]): PrivateDataField[] {
  const byName = new Map<string, PrivateDataField>();
  for (const field of privateData.flatMap(describePrivateData))
    if (!byName.has(field.data_key)) byName.set(field.data_key, field);
  return [...byName.values()];
}

/** Returns the tools of a scope, with its own names and private values. */
export function scopeTools(
  state: ScopeState,
  tools: readonly Tool[],
  privateData: readonly PrivateDataMap[],
): ScopedTool[] {
  return tools.map((tool) => ({
    tool,
    nameOf: (reference: ToolReference) => state.registry.nameOf(reference),
    readPrivate: (key) => {
      for (const map of privateData) {
        const found = readPrivateValue(map, key);
        if (found) return found;
      }
      return undefined;
    },
  }));
}

/**
 * Adds the structured output as the only final tool of the run. If it was made from a tool of the scope, it replaces
 * that tool.
 */
function withFinalOutput({ tools, state, privateData }: SessionInput, output: Tool): readonly ScopedTool[] {
  const others = tools
    .filter(({ tool }) => tool.execute !== output.execute)
    .map((entry) => ({
      ...entry,
      tool: entry.tool.finalTool ? { ...entry.tool, finalTool: false } : entry.tool,
    }));
  return [...others, ...scopeTools(state, [output], privateData)];
}

function refuseSeveralFinalTools(planned: PlannedTools): void {
  const finals = [...planned.values()].filter(({ tool }) => tool.finalTool).map(({ tool }) => tool.name);
  if (finals.length <= 1) return;
  throw new ConfigurationError(`Only one tool may have finalTool: true, got ${finals.join(', ')}.`, {
    code: 'CONFIG_FINAL_TOOL',
    details: { tools: finals },
  });
}

/** Throws if a final tool is forced but there is none. */
export function checkForcedFinalTool(tools: readonly ScopedTool[], { forceFinalTool }: RunOptions): void {
  if (!forceFinalTool || tools.some(({ tool }) => tool.finalTool)) return;
  throw new ConfigurationError('forceFinalTool requires a tool with finalTool: true.', {
    code: 'CONFIG_FINAL_TOOL',
  });
}

function selectTargets(
  planned: PlannedTools,
  { options, structuredOutput, state }: SessionInput,
): readonly string[] | undefined {
  const { targetedTools, forceFinalTool } = options;
  if (targetedTools === undefined) return undefined;
  if (structuredOutput || forceFinalTool)
    throw targetError('cannot be combined with forceFinalTool or a structured output', []);
  const names = targetedTools.map((reference) => state.registry.nameOf(reference));
  const unknown = names.filter((name) => !planned.has(name));
  if (names.length === 0) throw targetError('must contain at least one tool', []);
  if (unknown.length > 0) {
    throw targetError(
      `contains unknown tools: ${unknown.join(', ')}. Known tools: ${[...planned.keys()].join(', ') || '(none)'}`,
      unknown,
    );
  }
  return withProducers(planned, names);
}

function targetError(why: string, unknown: readonly string[]): ConfigurationError {
  return new ConfigurationError(`targetedTools ${why}.`, {
    code: 'CONFIG_TARGETED_TOOLS',
    details: { unknown },
  });
}

function lastUserText(messages: readonly Message[]): string {
  const last = messages.findLast(({ type }) => type === 'human' || type === 'redacted');
  if (!last) return '';
  if (typeof last.content === 'string') return last.content;
  return last.content
    .map((part) => (typeof part === 'string' ? part : String(part['text'] ?? '')))
    .join('\n');
}
