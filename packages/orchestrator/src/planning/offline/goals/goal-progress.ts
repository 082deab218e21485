import type { JsonObject, JsonValue } from '@svc/contracts';
import type { RecordedCall } from '../../plan-context.js';
import type { PlannedCall } from '../../plan-step.js';
import { callResult } from '../../policy/run-result.js';
import { isOk } from '../../policy/run-record.js';
import type { MissingArgument } from '../fill/fill-arguments.js';
import type { Goal } from './goals.js';
import type { Mention } from '../mentions/mentions.js';

/** One call of a goal and its outcome. */
export interface GoalCall {
  readonly args: JsonObject;
  /** Its last attempt. */
  readonly record?: RecordedCall;
  readonly isPending: boolean;
}

/** The progress of a goal. */
export type GoalState =
  | { readonly type: 'waiting' }
  | { readonly type: 'asking'; readonly missing: readonly MissingArgument[] }
  | { readonly type: 'blocked'; readonly reason: string }
  | {
      readonly type: 'calling';
      readonly calls: readonly GoalCall[];
      /** Values of its clause beyond the limit on calls. */
      readonly dropped: readonly JsonValue[];
      /** Names and quotations of its clause that none of its arguments took. */
      readonly unused: readonly Mention[];
    };

/** A goal and its progress. */
export interface GoalProgress {
  readonly goal: Goal;
  readonly state: GoalState;
}

/** The id of the question about a goal's argument in this run. */
export const questionId = (goal: Goal, path: string): string => `${goal.key}.${path}`;

/** Results of a goal's successful calls. */
export const resultsOf = ({ goal, state }: GoalProgress): JsonValue[] =>
  state.type === 'calling'
    ? state.calls.flatMap(({ record }) =>
        record && isOk(record) ? [callResult(record, goal.profile.tool)] : [],
      )
    : [];

/** Whether nothing more will happen to the goal. */
export const isSettled = ({ state }: GoalProgress): boolean =>
  state.type === 'blocked' || (state.type === 'calling' && state.calls.every((call) => !call.isPending));

/** The calls of a goal that are still to be made. */
export const pendingCalls = ({ goal, state }: GoalProgress): PlannedCall[] =>
  state.type === 'calling'
    ? state.calls
        .filter((call) => call.isPending)
        .map(({ args }) => ({ tool_id: goal.profile.tool.tool_id, args }))
    : [];
