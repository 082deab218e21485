import type { JsonValue } from '@svc/contracts';
import type { RecordedCall, RecordedStep } from '../../planning/plan-context.js';
import type { CallState, CheckpointState, SessionState, StepState } from './session-state.js';

/** A call as the planner and its rules see it. */
export function recordedCall({ call_id, tool_id, args, outcome }: CallState): RecordedCall {
  return { call_id, tool_id, args, ...(outcome ? { outcome } : {}) };
}

export function callsOf(state: SessionState, step: StepState): CallState[] {
  return step.callIds.flatMap((callId) => state.calls.get(callId) ?? []);
}

/** The calls of all steps before the given one. */
export function callsBefore(state: SessionState, step: StepState): RecordedCall[] {
  const earlier = state.steps.filter((each) => each.number < step.number);
  return earlier.flatMap((each) => callsOf(state, each).map(recordedCall));
}

/** The checkpoint of a step's question, if it was asked. A later step may ask the same question again. */
export function checkpointOfQuestion(
  state: SessionState,
  questionId: string,
  stepNumber: number,
): CheckpointState | undefined {
  return [...state.checkpoints.values()].findLast(
    (each) => each.question_id === questionId && each.step_number === stepNumber,
  );
}

/** The checkpoint that a call has for an argument, if there is one. */
export function checkpointOfArgument(
  state: SessionState,
  call: CallState,
  argName: string,
): CheckpointState | undefined {
  return [...state.checkpoints.values()].find(
    ({ call_id, arg_name }) => call_id === call.call_id && arg_name === argName,
  );
}

/** The run so far, as the planner sees it. */
export function recordedSteps(state: SessionState): RecordedStep[] {
  return state.steps.flatMap((each): RecordedStep[] => {
    const { step, problems } = each;
    if (problems) return [{ type: 'feedback', rejected: step, problems }];
    if (step.type === 'call') return [{ ...step, calls: callsOf(state, each).map(recordedCall) }];
    if (step.type === 'finish') return [];
    const answers = step.questions.map(({ question_id }): [string, JsonValue] => {
      const answer = checkpointOfQuestion(state, question_id, each.number)?.answer;
      return [question_id, answer?.value ?? null];
    });
    return [{ ...step, answers: Object.fromEntries(answers) }];
  });
}
