import type { JsonObject, JsonValue } from '@svc/contracts';
import type { RunRecord } from '@svc/contracts/orchestrator';
import { planRounds } from '../../planning/policy/run-record.js';
import { runResult } from '../../planning/policy/run-result.js';
import type { PlanContext } from '../../planning/plan-context.js';
import type { RunEnding } from '../record/decision.js';
import { ASSISTANT_ID } from './emit.js';
import type { SessionFacts } from '../record/session-facts.js';
import type { SessionState } from '../record/session-state.js';
import { tokenUsage } from '../record/token-usage.js';

/** What the assistant said in accepted steps, in order. */
export function spokenTexts(state: SessionState): string[] {
  return state.steps.flatMap(({ step, problems }) => {
    const text = step.type === 'ask' ? undefined : step.text;
    return problems || !text ? [] : [text];
  });
}

type Run = Pick<RunRecord, 'sessionId' | 'threadId' | 'createdAtMs'>;

const envelope = (run: Run, { status, nowMs }: { status: string; nowMs: number }): JsonObject => ({
  session_id: run.sessionId,
  assistant_id: ASSISTANT_ID,
  ...(run.threadId === undefined ? {} : { thread_id: run.threadId }),
  status,
  started_at: new Date(run.createdAtMs).toISOString(),
  completed_at: new Date(nowMs).toISOString(),
  messages: [],
});

/** The payload of the event that ends a run without an answer. */
export function failedPayload(
  run: Run,
  { code, message, ...ended }: { status: string; code: string; message: string; nowMs: number },
): JsonObject {
  const error = { error: message, error_info: { code, message } };
  return { ...envelope(run, ended), metadata: {}, responses: [], result: null, ...error };
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
  const counted: JsonObject = {
    metadata: { cycles: planRounds(context).used, calls: state.calls.size },
    ...(usage ? { token_usage: { ...usage } as JsonObject } : {}),
  };
  if (ending.status !== 'completed') {
    const { status, code, message } = ending;
    return { ...failedPayload(facts, { status, code, message, nowMs }), ...counted };
  }
  const result = resultOf(state, context);
  const responses = givesDataOnly(context) && result !== null ? [] : spokenTexts(state);
  const response = responses.at(-1);
  return {
    ...envelope(facts, { status: ending.status, nowMs }),
    ...counted,
    responses,
    ...(response === undefined ? {} : { response }),
    result,
    stop_reason: stopReason(state),
  };
}

/** A member asked for data only returns its data, or its text when it has no data. */
const givesDataOnly = (context: PlanContext) => context.constraints.invocation?.nested_synthesis === false;

function resultOf(state: SessionState, context: PlanContext): JsonValue {
  const step = state.steps.at(-1)?.step;
  return runResult(context, step?.type === 'finish' ? step.result : undefined);
}

function stopReason(state: SessionState): string {
  const step = state.steps.at(-1)?.step;
  return step?.type === 'finish' && step.blocked ? 'blocked' : 'finished';
}
