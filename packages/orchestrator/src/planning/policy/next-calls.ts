import type {
  CallFailure,
  InstanceControl,
  PlanConstraints,
  PlanTool,
  RecordedCall,
} from '../plan-context.js';
import { producerEdges, indexTools, type ToolIndex } from './producer-graph.js';
import { BOUNDARY_CODE, SKIPPED_CODE, isAtBoundary, isOk } from './run-record.js';

/** A call step in execution. */
export interface RunningStep {
  readonly calls: readonly RecordedCall[];
  /** Ids of the calls that have started and not ended. */
  readonly inFlight: ReadonlySet<string>;
  readonly tools: readonly PlanTool[];
  /** The calls of earlier steps. */
  readonly earlier: readonly RecordedCall[];
  readonly constraints: Pick<PlanConstraints, 'allow_reevaluate_loop'>;
}

/** What to do next in a running call step. */
export interface NextCalls {
  /** Ids of calls to start now, in the planner's order. */
  readonly start: readonly string[];
  /** Calls that will never start, with the failure to record as their outcome. */
  readonly skip: readonly { readonly call_id: string; readonly failure: CallFailure }[];
  /** Whether every call has an outcome, so that the planner is next. */
  readonly done: boolean;
}

type Verdict = 'start' | 'wait' | CallFailure;

const skipped = (message: string): CallFailure => ({ code: SKIPPED_CODE, message });

const nameOf = (toolId: string, index: ToolIndex) => index.get(toolId)?.name ?? toolId;

/** Whether a call may start: its producers in this step must have answered before it takes their latest result. */
function producerVerdict(call: RecordedCall, step: RunningStep, index: ToolIndex): Verdict {
  const tool = index.get(call.tool_id);
  if (!tool) return 'start';
  let waits = false;
  for (const edge of producerEdges(tool)) {
    const here = step.calls.filter((each) => each.tool_id === edge.tool_id && each.call_id !== call.call_id);
    if (here.some((each) => each.outcome === undefined)) {
      waits = true;
      continue;
    }
    const last = here.findLast((each) => !isAtBoundary(each));
    if (last && edge.required && !isOk(last))
      return skipped(`Not run: ${edge.tool_name} failed, and ${tool.name} needs its result.`);
    if (here.length > 0 && !last && edge.required)
      return {
        code: BOUNDARY_CODE,
        message: `Not run yet: ${edge.tool_name} waits for planning to continue.`,
      };
  }
  return waits ? 'wait' : 'start';
}

/** One ordering rule as "later waits for earlier", whichever of the two tools declared it. */
interface Ordering {
  readonly type: 'await_for' | 'reevaluate';
  readonly earlier: string;
  readonly later: string;
  readonly control: InstanceControl;
}

/** The order rules of all tools. */
export function orderings(tools: readonly PlanTool[]): Ordering[] {
  return tools.flatMap((tool) =>
    tool.dependencies.flatMap((edge): Ordering[] => {
      if (edge.type !== 'await_for' && edge.type !== 'reevaluate') return [];
      const [earlier, later] =
        edge.timing === 'after' ? [edge.tool_id, tool.tool_id] : [tool.tool_id, edge.tool_id];
      return [{ type: edge.type, earlier, later, control: edge.instance_control }];
    }),
  );
}

/** The calls that a call of the later tool waits for: the n-th of the earlier tool, or all of them. */
function awaitedCalls(call: RecordedCall, ordering: Ordering, step: RunningStep): RecordedCall[] {
  const earlier = step.calls.filter((each) => each.tool_id === ordering.earlier);
  if (ordering.control === 'all') return earlier;
  const position = step.calls.filter((each) => each.tool_id === call.tool_id).indexOf(call);
  const paired = earlier[position];
  return paired ? [paired] : [];
}

/** Whether a rule orders calls without stopping planning. With loops disallowed, a boundary stops planning once. */
function onlyOrders(ordering: Ordering, step: RunningStep): boolean {
  if (ordering.type === 'await_for') return true;
  if (step.constraints.allow_reevaluate_loop) return false;
  return step.earlier.some((call) => call.tool_id === ordering.later && isAtBoundary(call));
}

function orderVerdict(call: RecordedCall, step: RunningStep, index: ToolIndex): Verdict {
  for (const ordering of orderings(step.tools)) {
    if (ordering.later !== call.tool_id || ordering.earlier === ordering.later) continue;
    const before = awaitedCalls(call, ordering, step);
    if (before.length === 0) continue;
    if (!onlyOrders(ordering, step)) {
      const [first, second] = [nameOf(ordering.earlier, index), nameOf(ordering.later, index)];
      return {
        code: BOUNDARY_CODE,
        message: `Not run yet: look at the result of ${first} first, then decide about ${second}.`,
      };
    }
    if (before.some((each) => each.outcome === undefined)) return 'wait';
  }
  return 'start';
}

function verdictOf(call: RecordedCall, step: RunningStep, index: ToolIndex): Verdict {
  const order = orderVerdict(call, step, index);
  return order === 'start' ? producerVerdict(call, step, index) : order;
}

/**
 * Decides which calls of a step to start now. Producers run before consumers, `await_for` orders calls without passing
 * data, a re-evaluate boundary leaves later calls to the next round of planning, everything else runs at once.
 */
export function nextCalls(step: RunningStep): NextCalls {
  const index = indexTools(step.tools);
  const pending = step.calls.filter((call) => call.outcome === undefined && !step.inFlight.has(call.call_id));
  const verdicts = pending.map((call) => ({ call, verdict: verdictOf(call, step, index) }));
  const start = verdicts.filter(({ verdict }) => verdict === 'start').map(({ call }) => call.call_id);
  const skip = verdicts.flatMap(({ call, verdict }) =>
    typeof verdict === 'string' ? [] : [{ call_id: call.call_id, failure: verdict }],
  );
  if (start.length > 0 || skip.length > 0 || step.inFlight.size > 0) return { start, skip, done: false };
  // Nothing runs and nothing can start, so the order rules contradict each other.
  const stuck = pending.map(({ call_id, tool_id }) => ({
    call_id,
    failure: skipped(`Not run: the order rules of ${nameOf(tool_id, index)} wait for one another.`),
  }));
  return { start, skip: stuck, done: stuck.length === 0 };
}
