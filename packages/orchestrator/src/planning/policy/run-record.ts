import type { PlanContext, RecordedCall, RecordedCallStep } from '../plan-context.js';

type Steps = PlanContext['steps'];

/** Code of a call that never started because planning stops before it. */
export const BOUNDARY_CODE = 'REEVALUATE_BOUNDARY';
/** Code of a call that never started because something it needs failed. */
export const SKIPPED_CODE = 'TOOL_SKIPPED';

/** The call steps of a run, oldest first. */
export const callSteps = (context: Pick<PlanContext, 'steps'>): RecordedCallStep[] =>
  context.steps.filter((step) => step.type === 'call');

/** The calls of each tool, oldest first, read once from a run's steps: each tool of a plan asks for its own. */
const callsByTool = new WeakMap<Steps, ReadonlyMap<string, RecordedCall[]>>();

/** Every call of a run, oldest first. */
export const recordedCalls = (context: Pick<PlanContext, 'steps'>): RecordedCall[] =>
  callSteps(context).flatMap((step) => step.calls);

/** Every call of a tool in a run, oldest first. */
export function callsOfTool(toolId: string, { steps }: Pick<PlanContext, 'steps'>): readonly RecordedCall[] {
  let byTool = callsByTool.get(steps);
  if (byTool === undefined) {
    byTool = Map.groupBy(recordedCalls({ steps }), ({ tool_id }) => tool_id);
    callsByTool.set(steps, byTool);
  }
  return byTool.get(toolId) ?? [];
}

/** Whether a call ended well. */
export const isOk = (call: RecordedCall): boolean => call.outcome?.status === 'ok';

/** Whether a call was cut off by a re-evaluate boundary, so that it says nothing about its tool. */
export const isAtBoundary = (call: RecordedCall): boolean =>
  call.outcome?.status === 'error' && call.outcome.error.code === BOUNDARY_CODE;

/** Whether a call really ran and failed. */
export const isFailed = (call: RecordedCall): boolean =>
  call.outcome?.status === 'error' && !isAtBoundary(call);

/** Whether a tool answered well in this run. */
export const hasSucceeded = (toolId: string, context: Pick<PlanContext, 'steps'>): boolean =>
  callsOfTool(toolId, context).some(isOk);

/**
 * Planning rounds used, and whether the last of them goes on after a boundary. A round in which nothing was learned
 * before the boundary, because all that answered had answered in it before, goes on no more: the plan is in a circle.
 */
export function planRounds(context: Pick<PlanContext, 'steps'>): { used: number; goesOn: boolean } {
  const answered = new Set<string>();
  let used = 0;
  let goesOn = false;
  for (const { calls } of callSteps(context)) {
    if (!goesOn) {
      used += 1;
      answered.clear();
    }
    const before = answered.size;
    for (const call of calls) if (isOk(call)) answered.add(call.tool_id);
    goesOn = calls.some(isAtBoundary) && answered.size > before;
  }
  return { used, goesOn };
}
