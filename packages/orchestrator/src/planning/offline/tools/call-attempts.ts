import type { JsonObject } from '@svc/contracts';
import { isDeepStrictEqual } from 'node:util';
import type { CallFailure, PlanContext, PlanTool, RecordedCall } from '../../plan-context.js';
import { requiredProducers } from '../../policy/producer-graph.js';
import { SKIPPED_CODE, hasSucceeded, isAtBoundary, isFailed } from '../../policy/run-record.js';

/** The maximum number of attempts of a call that fails for a transient reason. */
const maxAttempts = 2;

/**
 * Whether a recorded call is the planned one. The rules may have added default arguments and, for a swarm's final
 * member, its context.
 */
export function isSameCall(
  recorded: RecordedCall,
  planned: JsonObject,
  { default_args = {} }: PlanTool,
): boolean {
  const added = new Set([...Object.keys(default_args), 'use_as_final_output', 'force_final_tool']);
  const keys = Object.keys(recorded.args).filter((key) => Object.hasOwn(planned, key) || !added.has(key));
  const [a, b] = [keys, Object.keys(planned)];
  return a.length === b.length && b.every((key) => isDeepStrictEqual(recorded.args[key], planned[key]));
}

/** Whether a call may be made, or made again after its last attempt. */
export function mayRepeat(attempts: readonly RecordedCall[], tool: PlanTool, context: PlanContext): boolean {
  const last = attempts.at(-1);
  if (!last) return true;
  if (isAtBoundary(last)) return true;
  const error: CallFailure | undefined = last.outcome?.status === 'error' ? last.outcome.error : undefined;
  if (!error || attempts.filter(isFailed).length >= maxAttempts) return false;
  if (error.code === SKIPPED_CODE) return requiredProducers(tool).every((id) => hasSucceeded(id, context));
  return error.retryable === true;
}
