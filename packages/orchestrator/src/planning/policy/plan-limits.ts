import type { PlanContext, PlanTool, RecordedCall } from '../plan-context.js';
import {
  indexTools,
  plannedProducers,
  producerEdges,
  withProducers,
  type ToolIndex,
} from './producer-graph.js';
import {
  callsOfTool,
  callSteps,
  hasSucceeded,
  idleStops,
  isAtBoundary,
  isFailed,
  isOk,
  planRounds,
  recordedCalls,
} from './run-record.js';

/** Why a tool must run before the run may end. */
export type RequirementReason =
  | 'always_execute'
  | 'final_tool'
  | 'targeted'
  | 'declared_graph'
  | 'final_member';

/** A tool that must run before the run may end. */
export interface Requirement {
  readonly tool_id: string;
  readonly reason: RequirementReason;
}

/** What the rules of a run allow the planner now. */
export interface PlanLimits {
  /** Tools that may be called now. */
  readonly callable: readonly PlanTool[];
  /** Tools that still have to run, producers before consumers. */
  readonly required: readonly Requirement[];
  /** Why only an answer is possible; absent while calls are possible. */
  readonly must_finish?: string;
  /** The call that ends the run by rule, without another planner turn: its result is the run's. */
  readonly ended_by?: RecordedCall;
  /** Planning rounds left, including this one. */
  readonly cycles_left: number;
}

/** How often a tool that must succeed is tried, and how often one that must run is stopped. */
const MAX_REQUIRED_ATTEMPTS = 3;

/** The tool that makes the final or the structured result. */
export function finalToolOf({ constraints, tools }: PlanContext): PlanTool | undefined {
  const wanted = constraints.structured_output?.tool_id;
  return tools.find((tool) => (wanted === undefined ? tool.final_tool : tool.tool_id === wanted));
}

/** The same tool if the result has to come from it; otherwise the run may end without its call. */
export function requiredFinalTool(context: PlanContext): PlanTool | undefined {
  const { force_final_tool, structured_output, stop_strategy } = context.constraints;
  const isRequired = force_final_tool || structured_output || stop_strategy === 'final_tool_completed';
  return isRequired ? finalToolOf(context) : undefined;
}

/** The invocation tool of the swarm member whose answer is the swarm's, unless the run has a structured one. */
export function finalMemberOf({ constraints, tools }: PlanContext): PlanTool | undefined {
  if (constraints.structured_output) return undefined;
  const member = constraints.swarm?.members.find((each) => each.use_as_final_output);
  return member && tools.find((tool) => tool.tool_id === member.tool_id);
}

/** Members that other members' tools already invoke, unless one that is scheduled takes their result. */
function invokedElsewhere({ constraints, tools }: PlanContext): Set<string> {
  const members = constraints.swarm?.members ?? [];
  const named = new Set(members.flatMap((member) => member.invokes_via_dependency));
  const inside = members.filter(
    (each) => named.has(each.agent_id) || named.has(each.tool_id) || named.has(each.name),
  );
  const elsewhere = new Set(inside.map((member) => member.tool_id));
  if (elsewhere.size === 0) return elsewhere;
  const scheduled = tools.filter(({ tool_id }) => !elsewhere.has(tool_id));
  // The list grows as it is read: a member that is scheduled after all may take the result of another.
  for (const tool of scheduled)
    for (const toolId of plannedProducers(tool))
      if (elsewhere.delete(toolId)) scheduled.push(...tools.filter((each) => each.tool_id === toolId));
  return elsewhere;
}

/**
 * The graph in `strict_user_dag`: the targets, the swarm's members, or the calls of the first round; nothing is added
 * later.
 */
function strictGraph(context: PlanContext): string[] | undefined {
  const { constraints, tools } = context;
  if (constraints.mode !== 'strict_user_dag') return undefined;
  if (constraints.targeted_tools) return [...constraints.targeted_tools];
  const elsewhere = invokedElsewhere(context);
  const members = constraints.swarm?.members
    .map((member) => member.tool_id)
    .filter((id) => !elsewhere.has(id));
  if (members) return [...members, ...tools.filter((tool) => tool.final_tool).map((tool) => tool.tool_id)];
  return callSteps(context)[0]?.calls.map((call) => call.tool_id);
}

/** In `hybrid`, members that depend on one another run first, then the planner adds the rest. */
function declaredMembers({ constraints, tools }: PlanContext): string[] {
  const ids = new Set(
    constraints.mode === 'hybrid' ? constraints.swarm?.members.map((each) => each.tool_id) : [],
  );
  const members = tools.filter((tool) => ids.has(tool.tool_id));
  const linked = members.flatMap((tool) => {
    const producers = producerEdges(tool).map((edge) => edge.tool_id);
    const among = producers.filter((id) => ids.has(id));
    return among.length > 0 ? [...among, tool.tool_id] : [];
  });
  return [...new Set(linked)];
}

/** The required tools that are still open, and the producers they need. */
function requirements(context: PlanContext, all: ToolIndex): Requirement[] {
  const { constraints } = context;
  const needed = mustSucceed(context, all);
  // A tool that is done needs its producers no more, even if the client called them.
  const open = openTools(context, all, needed);
  const tools = context.tools.filter(({ tool_id }) => open.has(tool_id));
  const index = indexTools(tools);
  const found = new Map<string, RequirementReason>();
  const add = (toolIds: Iterable<string>, reason: RequirementReason) => {
    for (const toolId of withProducers(toolIds, index)) if (!found.has(toolId)) found.set(toolId, reason);
  };
  add(
    tools.filter((tool) => tool.always_execute).map((tool) => tool.tool_id),
    'always_execute',
  );
  if (constraints.targeted_tools) add(constraints.targeted_tools, 'targeted');
  add(strictGraph(context) ?? declaredMembers(context), 'declared_graph');
  const finalTool = requiredFinalTool(context);
  if (finalTool) add([finalTool.tool_id], 'final_tool');
  const finalMember = finalMemberOf(context);
  if (finalMember && !finalTool) add([finalMember.tool_id], 'final_member');
  const ids = withProducers(found.keys(), index);
  return ids.map((tool_id) => ({ tool_id, reason: found.get(tool_id) ?? 'targeted' }));
}

/**
 * The tools that must succeed: the one that makes the result, and its producers. For the others one try is enough, or
 * several stops at a boundary that lead nowhere.
 */
function mustSucceed(context: PlanContext, index: ToolIndex): Set<string> {
  const resultTool = requiredFinalTool(context) ?? finalMemberOf(context);
  return new Set(resultTool ? withProducers([resultTool.tool_id], index) : []);
}

/** The tools that are not done. One whose producer failed too often is done as well: it would only be skipped. */
function openTools(context: PlanContext, index: ToolIndex, needed: ReadonlySet<string>): Set<string> {
  const open = new Set<string>();
  const hopeless = new Set<string>();
  for (const toolId of withProducers(index.keys(), index)) {
    const tool = index.get(toolId);
    if (!tool || hasSucceeded(toolId, context)) continue;
    const failures = callsOfTool(toolId, context).filter(isFailed).length;
    const isHopeless =
      failures >= MAX_REQUIRED_ATTEMPTS || plannedProducers(tool).some((each) => hopeless.has(each));
    if (isHopeless && !needed.has(toolId)) hopeless.add(toolId);
    else if (isOpen(toolId, context, needed)) open.add(toolId);
  }
  return open;
}

function isOpen(toolId: string, context: PlanContext, needed: ReadonlySet<string>): boolean {
  if (needed.has(toolId)) return true;
  if (callsOfTool(toolId, context).some(isFailed)) return false;
  return idleStops(toolId, context) < MAX_REQUIRED_ATTEMPTS;
}

function endingCall(context: PlanContext): RecordedCall | undefined {
  const { constraints } = context;
  const supervised =
    constraints.final_output_mode === 'supervised' || constraints.stop_strategy === 'max_cycles';
  const calls = recordedCalls(context);
  const lastOk = (tool: PlanTool | undefined) =>
    tool && calls.findLast((call) => call.tool_id === tool.tool_id && isOk(call));
  const finalCall = lastOk(requiredFinalTool(context));
  if (finalCall && (!supervised || constraints.structured_output)) return finalCall;
  return supervised ? undefined : lastOk(finalMemberOf(context));
}

/** Tools whose newest call failed, by that call. */
function openFailures(context: PlanContext): RecordedCall[] {
  const latest = new Map<string, RecordedCall>();
  for (const call of recordedCalls(context)) if (!isAtBoundary(call)) latest.set(call.tool_id, call);
  return [...latest.values()].filter(isFailed);
}

function mustFinish(context: PlanContext, cyclesLeft: number): string | undefined {
  const { constraints } = context;
  const last = callSteps(context).at(-1);
  if (cyclesLeft <= 0) return `All ${constraints.max_cycles} planning rounds are used up.`;
  if (!last) return undefined;
  const stoppedAtBoundary = last.calls.some(isAtBoundary);
  if (constraints.stop_strategy === 'blocker_detected') {
    const blocker = openFailures(context).find(
      (call) => call.outcome?.status === 'error' && !call.outcome.error.retryable,
    );
    if (blocker) return 'A call failed for good, and the run stops at the first blocker.';
  }
  if (stoppedAtBoundary) return undefined;
  if (constraints.mode === 'single_shot_dag') return 'This run is planned once; its calls are done.';
  if (constraints.mode === 'strict_user_dag') return 'The declared graph has run; nothing is added to it.';
  if (!constraints.allow_followup_actions) return 'Follow-up calls are not allowed.';
  if (constraints.stop_strategy === 'objective_satisfied' && openFailures(context).length === 0)
    return 'Every planned call succeeded: the objective is satisfied.';
  return undefined;
}

function callableTools(
  context: PlanContext,
  { required, isRequired }: { required: readonly Requirement[]; isRequired: ReadonlySet<string> },
  index: ToolIndex,
): PlanTool[] {
  const { constraints, tools } = context;
  const elsewhere = invokedElsewhere(context);
  const targets = constraints.targeted_tools && new Set(withProducers(constraints.targeted_tools, index));
  const declaredFirst =
    constraints.mode === 'hybrid' && required.some((each) => each.reason === 'declared_graph');
  const graph = strictGraph(context);
  const inGraph = graph && new Set(withProducers(graph, index));
  return tools.filter((tool) => {
    if (isRequired.has(tool.tool_id)) return true;
    if (declaredFirst) return false;
    if (elsewhere.has(tool.tool_id)) return false;
    if (targets && !targets.has(tool.tool_id)) return false;
    if (inGraph) return inGraph.has(tool.tool_id) && !hasSucceeded(tool.tool_id, context);
    return true;
  });
}

/** What the mode, the stop rule and the declared tools allow the planner now. */
export function planLimits(context: PlanContext): PlanLimits {
  const index = indexTools(context.tools);
  const { used, continues } = planRounds(context);
  const cyclesLeft = Math.max(continues ? 1 : 0, context.constraints.max_cycles - used);
  const required = requirements(context, index);
  const ended_by = required.length === 0 ? endingCall(context) : undefined;
  const stop = mustFinish(context, cyclesLeft);
  // A producer that was tried in vain is not required itself, but what is required cannot be called without it.
  const withTried = withProducers(
    required.map((each) => each.tool_id),
    index,
  );
  const isRequired = new Set(withTried.filter((each) => !hasSucceeded(each, context)));
  const all = callableTools(context, { required, isRequired }, index);
  return {
    // Required tools may run even after the planner's own rounds are used up.
    callable: stop ? all.filter((tool) => isRequired.has(tool.tool_id)) : all,
    required,
    ...(stop && required.length === 0 ? { must_finish: stop } : {}),
    ...(ended_by ? { ended_by } : {}),
    cycles_left: cyclesLeft,
  };
}

/** A tool that must succeed but failed too often, so the run cannot reach its result. */
export function exhaustedRequirement(context: PlanContext): { tool: PlanTool; message: string } | undefined {
  const index = indexTools(context.tools);
  const needed = mustSucceed(context, index);
  for (const { tool_id } of planLimits(context).required) {
    const tool = index.get(tool_id);
    const calls = callsOfTool(tool_id, context);
    const last = calls.at(-1)?.outcome;
    if (!tool || last?.status !== 'error' || !needed.has(tool_id)) continue;
    if (isExhausted(calls) || isStoppedForever(tool_id, context))
      return { tool, message: last.error.message };
  }
  return undefined;
}

function isExhausted(calls: readonly RecordedCall[]): boolean {
  const failures = calls.filter(isFailed);
  const last = failures.at(-1)?.outcome;
  if (failures.length >= MAX_REQUIRED_ATTEMPTS) return true;
  return last?.status === 'error' && last.error.retryable === false;
}

/** Whether a boundary still stops the tool when only required tools may run: the order rules contradict each other. */
function isStoppedForever(toolId: string, context: PlanContext): boolean {
  return idleStops(toolId, context) >= context.constraints.max_cycles + MAX_REQUIRED_ATTEMPTS;
}
