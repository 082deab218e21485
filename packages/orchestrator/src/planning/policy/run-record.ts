import type { PlanContext, RecordedCall, RecordedCallStep } from '../plan-context.js';

/** Code of a call that never started because planning stops before it. */
export const BOUNDARY_CODE = 'REEVALUATE_BOUNDARY';
/** Code of a call that never started because something it needs failed. */
export const SKIPPED_CODE = 'TOOL_SKIPPED';

/** The call steps of a run, oldest first. */
export const callSteps = (context: Pick<PlanContext, 'steps'>): RecordedCallStep[] =>
  context.steps.filter((step) => step.type === 'call');

/** Every call of a run, oldest first. */
export const recordedCalls = (context: Pick<PlanContext, 'steps'>): RecordedCall[] =>
  callSteps(context).flatMap((step) => step.calls);

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
  recordedCalls(context).some((call) => call.tool_id === toolId && isOk(call));

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
