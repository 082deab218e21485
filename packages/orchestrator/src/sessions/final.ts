import type { JsonObject, JsonValue } from '@svc/contracts';
import { planRounds } from '../planning/policy/run-record.js';
import { runResult } from '../planning/policy/run-result.js';
import type { PlanContext } from '../planning/plan-context.js';
import type { RunEnding } from './decision.js';
import { ASSISTANT_ID } from './emit.js';
import type { SessionFacts } from './session-facts.js';
import type { SessionState } from './session-state.js';
import { tokenUsage } from './token-usage.js';

/** What the assistant said in steps that stood, in order. */
export function spokenTexts(state: SessionState): string[] {
  return state.steps.flatMap(({ step, problems }) => {
    const text = step.type === 'ask' ? undefined : step.text;
    return problems || !text ? [] : [text];
  });
}

/** The payload of the event that ends a run. */
export function finalPayload({
  state,
  facts,
  context,
  ending,
  nowMs,
}: {
  state: SessionState;
  facts: SessionFacts;
  context: PlanContext;
  ending: RunEnding;
  nowMs: number;
}): JsonObject {
  const usage = tokenUsage(state, 'usage' in ending ? ending.usage : undefined);
  const shared: JsonObject = {
    session_id: facts.sessionId,
    assistant_id: ASSISTANT_ID,
    ...(facts.threadId === undefined ? {} : { thread_id: facts.threadId }),
    status: ending.status,
    started_at: new Date(facts.createdAtMs).toISOString(),
    completed_at: new Date(nowMs).toISOString(),
    messages: [],
    metadata: { cycles: planRounds(context).used, calls: state.calls.size },
    ...(usage ? { token_usage: { ...usage } as JsonObject } : {}),
  };
  if (ending.status !== 'completed') {
    const { code, message } = ending;
    return { ...shared, responses: [], result: null, error: message, error_info: { code, message } };
  }
  const result = resultOf(state, context);
  const responses = givesDataOnly(context) && result !== null ? [] : spokenTexts(state);
  const response = responses.at(-1);
  return {
    ...shared,
    responses,
    ...(response === undefined ? {} : { response }),
    result,
    stop_reason: stopReason(state),
  };
}

/** A member that was asked for no prose gives its data; one that has no data says what it can. */
const givesDataOnly = (context: PlanContext) => context.constraints.invocation?.nested_synthesis === false;

function resultOf(state: SessionState, context: PlanContext): JsonValue {
  const step = state.steps.at(-1)?.step;
  return runResult(context, step?.type === 'finish' ? step.result : undefined);
}

function stopReason(state: SessionState): string {
  const step = state.steps.at(-1)?.step;
  return step?.type === 'finish' && step.blocked ? 'blocked' : 'finished';
}
