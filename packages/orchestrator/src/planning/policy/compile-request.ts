import type { SessionRequest } from '@svc/contracts/orchestrator';
import { RequestError } from '../../errors.js';
import type {
  PlanConstraints,
  PlanContext,
  PlanTool,
  StructuredOutput,
  SwarmInvocation,
  SwarmMember,
  SwarmRoster,
} from '../plan-context.js';
import { isJsonObject } from '../../json-object.js';
import { planTools } from './plan-tools.js';
import { refuseCycles } from './producer-graph.js';

/** The part of a plan context that a session request decides. */
export type PlanRequest = Pick<
  PlanContext,
  'tools' | 'private_data' | 'constraints' | 'preference' | 'timezone'
>;

function rosterOf(request: SessionRequest, tools: readonly PlanTool[]): SwarmRoster | undefined {
  const config = request.swarm_config;
  if (!config?.agent_roster?.length) return undefined;
  const members = config.agent_roster.flatMap((entry): SwarmMember[] => {
    const tool_id = entry.invocation_tool_id ?? config.agent_invocation_tool_map?.[entry.agent_id];
    const tool = tools.find((each) => each.tool_id === tool_id || each.target_agent_id === entry.agent_id);
    if (!tool) return [];
    return [
      {
        agent_id: entry.agent_id,
        name: entry.name,
        description: entry.description ?? tool.description,
        tool_id: tool.tool_id,
        use_as_final_output: entry.use_as_final_output,
        has_final_tool: entry.has_final_tool,
        invokes_via_dependency: entry.invokes_via_dependency ?? [],
      },
    ];
  });
  const description = config.swarm_description ?? undefined;
  return {
    swarm_name: config.swarm_name ?? 'swarm',
    ...(description === undefined ? {} : { description }),
    members: forcedFinal(members, request, tools),
    swarm_has_final_tool: config.swarm_has_final_tool ?? false,
  };
}

/**
 * A forced final tool that is not the swarm's own belongs to a member: the one that gives the final answer, or the only
 * one that has such a tool.
 */
function forcedFinal(
  members: readonly SwarmMember[],
  { force_final_tool }: SessionRequest,
  tools: readonly PlanTool[],
): readonly SwarmMember[] {
  if (!force_final_tool || tools.some((tool) => tool.final_tool)) return members;
  const owners = members.filter((each) => each.has_final_tool);
  const [only] = owners.length === 1 ? owners : [];
  const forced = owners.find((each) => each.use_as_final_output) ?? only;
  if (!forced) return members;
  return members.map((each) =>
    each === forced
      ? { ...each, use_as_final_output: true, force_final_tool: true }
      : { ...each, use_as_final_output: false },
  );
}

function invocationOf({ swarm_config: config }: SessionRequest): SwarmInvocation | undefined {
  if (!config?.agent_invocation) return undefined;
  const dependencyContext = config.agent_dependency_context;
  return {
    agent_name: config.invoked_agent_name ?? 'agent',
    use_as_final_output: config.use_as_final_output ?? false,
    nested_synthesis: config.included_nested_synthesis ?? 'auto',
    ...(isJsonObject(dependencyContext) ? { dependency_context: dependencyContext } : {}),
  };
}

function structuredOutputOf(
  request: SessionRequest,
  tools: readonly PlanTool[],
): StructuredOutput | undefined {
  const config = request.structured_output_config;
  if (!config?.enabled) return undefined;
  const tool =
    tools.find((each) => each.name === config.model) ??
    tools.find((each) => each.final_tool && each.kind === 'model');
  if (!tool) return undefined;
  return { name: tool.name, schema: tool.parameters, tool_id: tool.tool_id };
}

function targetsOf(request: SessionRequest, tools: readonly PlanTool[]): string[] | undefined {
  const wanted = request.targeted_tools;
  if (!wanted?.length) return undefined;
  if (request.force_final_tool || request.structured_output_config?.enabled)
    throw new RequestError(
      'targeted_tools cannot be combined with force_final_tool or structured output: both decide which tools run. Use only one of them.',
      { code: 'TARGETS_CONFLICT' },
    );
  return [...new Set(wanted)].map((name) => {
    const tool = tools.find((each) => each.name === name) ?? tools.find((each) => each.tool_id === name);
    if (tool) return tool.tool_id;
    const available = tools.map((each) => each.name);
    throw new RequestError(
      `targeted_tools contains "${name}", which is not a tool of this run. Available: ${available.join(', ') || '(none)'}.`,
      { code: 'UNKNOWN_TARGET', details: { name, available } },
    );
  });
}

/** Far more than any planner can choose from. The dependencies of more tools are too deep and too many to follow. */
const MAX_TOOLS = 1000;

function refuseTooMany({ length }: readonly PlanTool[]): void {
  if (length <= MAX_TOOLS) return;
  throw new RequestError(
    `A run can have at most ${MAX_TOOLS} tools, got ${length}. Leave out those that it does not need.`,
    { code: 'INVALID_REQUEST', details: { limit: MAX_TOOLS, given: length } },
  );
}

function refuseFinalTools(request: SessionRequest, tools: readonly PlanTool[]): void {
  const finals = tools.filter((tool) => tool.final_tool);
  if (finals.length > 1)
    throw new RequestError(
      `Only one tool can be final, got: ${finals.map((tool) => tool.name).join(', ')}.`,
      { code: 'SEVERAL_FINAL_TOOLS', details: { tools: finals.map((tool) => tool.name) } },
    );
  if (request.force_final_tool && finals.length === 0 && !request.swarm_config?.agent_roster?.length)
    throw new RequestError('force_final_tool is set, but no tool is final. Mark one tool as final.', {
      code: 'NO_FINAL_TOOL',
    });
}

function constraintsOf(
  request: SessionRequest,
  tools: readonly PlanTool[],
  maxCycles: number,
): PlanConstraints {
  const config = request.orchestration_config;
  const targeted_tools = targetsOf(request, tools);
  const structured_output = structuredOutputOf(request, tools);
  const swarm = rosterOf(request, tools);
  const invocation = invocationOf(request);
  const mode = config?.mode ?? 'supervisor_loop';
  return {
    force_final_tool: request.force_final_tool && tools.some((tool) => tool.final_tool),
    ...(targeted_tools ? { targeted_tools } : {}),
    ...(structured_output ? { structured_output } : {}),
    mode,
    stop_strategy: config?.stop_strategy ?? 'orchestrator_decides',
    ...(config?.final_output_mode ? { final_output_mode: config.final_output_mode } : {}),
    allow_followup_actions: config?.allow_followup_actions ?? true,
    allow_reevaluate_loop: config?.allow_reevaluate_loop ?? true,
    max_cycles: Math.min(config?.max_cycles ?? maxCycles, maxCycles),
    ...(swarm ? { swarm } : {}),
    ...(invocation ? { invocation } : {}),
  };
}

function privateDataOf(request: SessionRequest): PlanContext['private_data'] {
  return (request.private_data_schema ?? []).map(({ data_key, description, label, pii_type, format }) => ({
    data_key,
    ...(label ? { label } : {}),
    ...(description ? { description } : {}),
    ...(pii_type ? { pii_type } : {}),
    ...(format ? { format } : {}),
  }));
}

const agentDescriptions = (request: SessionRequest): Map<string, string> =>
  new Map(
    (request.swarm_config?.agent_roster ?? []).flatMap((entry) => {
      const toolId =
        entry.invocation_tool_id ?? request.swarm_config?.agent_invocation_tool_map?.[entry.agent_id];
      return toolId && entry.description ? [[toolId, entry.description] as const] : [];
    }),
  );

/**
 * Compiles the tools and rules of a session request for planners. Pure: the same request gives the same plan. A run has
 * at most `maxCycles` rounds of planning; its request can only ask for fewer.
 * @throws RequestError when tools and rules contradict one another
 */
export function compilePlanRequest(
  request: SessionRequest,
  { maxCycles }: { maxCycles: number },
): PlanRequest {
  const structured = request.structured_output_config?.model;
  const tools = planTools(request.tools, {
    agentDescriptions: agentDescriptions(request),
    approvedComposeTargets: request.system_tools_config?.approved_compose_artifact_targets ?? [],
    keepModels: [...(structured ? [structured] : []), ...(request.targeted_tools ?? [])],
  });
  refuseTooMany(tools);
  refuseCycles(tools);
  refuseFinalTools(request, tools);
  const { execution_config: execution, reasoning } = request;
  const model = request.force_model ?? request.model ?? undefined;
  return {
    tools,
    private_data: privateDataOf(request),
    constraints: constraintsOf(request, tools, maxCycles),
    preference: { ...(model === undefined ? {} : { model }), ...(reasoning ? { reasoning } : {}) },
    timezone: timezoneOf(execution?.client_timezone ?? execution?.sdk_deployment_timezone ?? undefined),
  };
}

/** Time zones by lower-case name, because looking them up is slow. There are a few thousand. */
const timezones = new Map<string, string>();

/** An unknown time zone does not fail a run; it falls back to UTC. */
function timezoneOf(name = 'UTC'): string {
  const key = name.toLowerCase();
  const known = timezones.get(key);
  if (known !== undefined) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    timezones.set(key, timeZone);
    return timeZone;
  } catch {
    return 'UTC';
  }
}
