import type { JsonObject, JsonValue } from '@svc/contracts';

/** Tokens used by one planner turn. Absent counts are unknown, not zero. */
export interface PlanUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly total_tokens?: number;
  readonly cache_read_tokens?: number;
  readonly cache_creation_tokens?: number;
  readonly reasoning_tokens?: number;
}

/** One call that a planner requests. `args` contains only the planner's arguments, never an injected value. */
export interface PlannedCall {
  /** The id of a tool in the context, or the name of an allowed system tool. */
  readonly tool_id: string;
  readonly args: JsonObject;
}

/** How the user answers a question. */
export type QuestionInputType = 'text' | 'choice' | 'boolean' | 'number';

/** One question to the user, asked because an argument or a result must not be invented. */
export interface PlannedQuestion {
  /** Stable within the run; the answer is returned under it. */
  readonly question_id: string;
  readonly prompt: string;
  readonly input_type: QuestionInputType;
  /** The possible answers of a `choice`. */
  readonly choices?: readonly string[];
  /** The tool and argument that the answer is for, if any. */
  readonly tool_id?: string;
  readonly arg_name?: string;
}

interface StepBase {
  readonly usage?: PlanUsage;
  /**
   * The planner's own state (such as a model's reasoning signature): stored with the step, or with the one that the rules
   * put in its place, and returned unchanged.
   */
  readonly state?: JsonValue;
}

/** Calls to run now. They may depend on one another: each starts once its producers have returned. */
export interface CallStep extends StepBase {
  readonly type: 'call';
  readonly calls: readonly PlannedCall[];
  /** Text of the planner besides the calls. It is not the answer. */
  readonly text?: string;
}

/** Questions to the user; the run waits for all answers. */
export interface AskStep extends StepBase {
  readonly type: 'ask';
  readonly questions: readonly PlannedQuestion[];
}

/** The answer. The run ends with it unless a rule requires another step. */
export interface FinishStep extends StepBase {
  readonly type: 'finish';
  readonly text: string;
  /** The structured or final-tool result, if the run has one. */
  readonly result?: JsonValue;
  /** Whether the planner cannot reach the goal; `text` says why. */
  readonly blocked?: boolean;
}

/** The decision of a planner in one turn. */
export type PlanStep = CallStep | AskStep | FinishStep;
