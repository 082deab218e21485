import type { PlanContext, RecordedCall } from '../../planning/plan-context.js';
import type { FinishStep, PlanStep } from '../../planning/plan-step.js';
import type { Planner, PlannerIo } from '../../planning/planner.js';
import { parseStep } from '../../planning/parse-step.js';
import { PlannerError } from '../../planning/planner-error.js';
import { exhaustedRequirement, planLimits } from '../../planning/policy/plan-limits.js';
import { settleStep } from '../../planning/policy/settle-step.js';
import { answerText } from './answer-text.js';

/** A step to record: executable, or refused with its problems. */
export interface PlannedTurn {
  readonly step: PlanStep;
  readonly problems?: readonly string[];
}

/**
 * Returns a run's next step: by the rules when they leave no choice, otherwise from the planner.
 * @throws PlannerError when there is none
 */
export async function planTurn(context: PlanContext, planner: Planner, io: PlannerIo): Promise<PlannedTurn> {
  const exhausted = exhaustedRequirement(context);
  if (exhausted) {
    const message = `The required tool ${exhausted.tool.name} failed: ${exhausted.message}`;
    throw new PlannerError(message, { code: 'REQUIRED_TOOL_FAILED' });
  }
  const { ended_by } = planLimits(context);
  if (ended_by) return { step: finishByRule(ended_by, context) };
  const step = parseStep(asJson(await planner.next(context, io)));
  const settled = settleStep(step, context);
  if (settled.ok) return { step: withTurn(settled.step, step) };
  return { step, problems: settled.problems };
}

/**
 * The journal contains JSON, whatever a planner built its step from.
 * @throws PlannerError `PLANNER_INVALID_STEP` when it cannot be JSON
 */
function asJson(step: unknown): unknown {
  try {
    // Undefined has no JSON.
    return JSON.parse(JSON.stringify(step) ?? 'null');
  } catch (cause) {
    const message =
      'The planner returned an invalid step: it cannot be serialized as JSON. It contains a BigInt or a reference to itself, or cannot be read.';
    throw new PlannerError(message, { code: 'PLANNER_INVALID_STEP', cause });
  }
}

function finishByRule(call: RecordedCall, context: PlanContext): FinishStep {
  const result = call.outcome?.status === 'ok' ? call.outcome.result : null;
  const tool = context.tools.find(({ tool_id }) => tool_id === call.tool_id);
  return { type: 'finish', text: answerText(result, tool) };
}

/** A step that the rules put in place of the planner's keeps what the planner used and its state. */
function withTurn(step: PlanStep, { usage, state }: PlanStep): PlanStep {
  return { ...(usage ? { usage } : {}), ...(state === undefined ? {} : { state }), ...step };
}
