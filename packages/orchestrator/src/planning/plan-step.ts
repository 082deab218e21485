import type { JsonObject, JsonValue } from '@svc/contracts';

/** Tokens one planner turn used. Absent counts are unknown, not zero. */
export interface PlanUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly total_tokens?: number;
  readonly cache_read_tokens?: number;
  readonly cache_creation_tokens?: number;
  readonly reasoning_tokens?: number;
}

/** One call a planner asks for. `args` holds what the planner chose, never an injected value. */
export interface PlannedCall {
  /** Id of a tool of the context, or the name of an allowed system tool. */
  readonly tool_id: string;
  readonly args: JsonObject;
}

/** How a person answers a question. */
export type QuestionInputType = 'text' | 'choice' | 'boolean' | 'number';

/** One question to the person, asked because an argument or a result cannot be made up. */
export interface PlannedQuestion {
  /** Stable within the run; the answer comes back under it. */
  readonly question_id: string;
  readonly prompt: string;
  readonly input_type: QuestionInputType;
  /** The possible answers of a `choice`. */
  readonly choices?: readonly string[];
  /** The tool and argument the answer is for, when there is one. */
  readonly tool_id?: string;
  readonly arg_name?: string;
}

interface StepBase {
  readonly usage?: PlanUsage;
  /** The planner's own notes (such as a model's reasoning signature): stored with the step, given back unread. */
  readonly state?: JsonValue;
}

/** Calls to run now. They may depend on one another: the loop starts each when its producers have answered. */
export interface CallStep extends StepBase {
  readonly type: 'call';
  readonly calls: readonly PlannedCall[];
  /** What the planner said besides calling. It is not the answer. */
  readonly text?: string;
}

/** Questions to the person; the run waits for all answers. */
export interface AskStep extends StepBase {
  readonly type: 'ask';
  readonly questions: readonly PlannedQuestion[];
}

/** The answer. The run ends with it unless a rule says that something is still missing. */
export interface FinishStep extends StepBase {
  readonly type: 'finish';
  readonly text: string;
  /** The structured or final-tool result, when the run has one. */
  readonly result?: JsonValue;
  /** The planner cannot reach the goal and says why in `text`. */
  readonly blocked?: boolean;
}

/** What a planner decides in one turn. */
export type PlanStep = CallStep | AskStep | FinishStep;
