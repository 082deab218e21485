import type { PlanContext, RecordedCall, RecordedCallStep } from '../plan-context.js';

type Steps = PlanContext['steps'];

/** Code of a call that never started because planning stops before it. */
export const BOUNDARY_CODE = 'REEVALUATE_BOUNDARY';
/** Code of a call that never started because one of its dependencies failed. */
export const SKIPPED_CODE = 'TOOL_SKIPPED';

/** The call steps of a run, oldest first. */
export const callSteps = (context: Pick<PlanContext, 'steps'>): RecordedCallStep[] =>
  context.steps.filter((step) => step.type === 'call');

/** The calls of each tool, oldest first. Cached per run's steps, because each tool of a plan asks for its own. */
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

/** Whether a call succeeded. */
export const isOk = (call: RecordedCall): boolean => call.outcome?.status === 'ok';

/** Whether a call was stopped by a re-evaluate boundary, which says nothing about its tool. */
export const isAtBoundary = (call: RecordedCall): boolean =>
  call.outcome?.status === 'error' && call.outcome.error.code === BOUNDARY_CODE;

/** Whether a call failed, other than by a boundary. */
export const isFailed = (call: RecordedCall): boolean =>
  call.outcome?.status === 'error' && !isAtBoundary(call);

/** Whether a call of the tool succeeded in this run. */
export const hasSucceeded = (toolId: string, context: Pick<PlanContext, 'steps'>): boolean =>
  callsOfTool(toolId, context).some(isOk);

/** How often a boundary stopped a tool in a step in which no tool answered for the first time: the plan is looping. */
export function idleStops(toolId: string, context: Pick<PlanContext, 'steps'>): number {
  if (!callsOfTool(toolId, context).some(isAtBoundary)) return 0;
  const answered = new Set<string>();
  let stops = 0;
  for (const { calls } of callSteps(context)) {
    const before = answered.size;
    for (const call of calls) if (isOk(call)) answered.add(call.tool_id);
    const isStopped = calls.some((call) => call.tool_id === toolId && isAtBoundary(call));
    if (isStopped && answered.size === before) stops += 1;
  }
  return stops;
}

/**
 * Planning rounds used, and whether the last one continues after a boundary. It does not continue when no tool answered
 * for the first time in this round: the plan is looping.
 */
export function planRounds(context: Pick<PlanContext, 'steps'>): { used: number; continues: boolean } {
  const answered = new Set<string>();
  let used = 0;
  let continues = false;
  for (const { calls } of callSteps(context)) {
    if (!continues) {
      used += 1;
      answered.clear();
    }
    const before = answered.size;
    for (const call of calls) if (isOk(call)) answered.add(call.tool_id);
    continues = calls.some(isAtBoundary) && answered.size > before;
  }
  return { used, continues };
}
