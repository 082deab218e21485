import { isSdkError } from '@svc/contracts/sdk-error';
import { PlannerError } from '../../planning/planner-error.js';
import type { RunEnding } from '../record/decision.js';

/** How a run ends after its planner threw. Only our own errors have messages meant for the caller. */
export function failureOf(error: unknown): RunEnding {
  const usage = error instanceof PlannerError && error.usage ? { usage: error.usage } : {};
  if (isSdkError(error)) return { status: 'failed', code: error.code, message: error.message, ...usage };
  const kind = error instanceof Error ? error.name : typeof error;
  return { status: 'failed', code: 'PLANNER_FAILED', message: `The planner failed unexpectedly (${kind}).` };
}
