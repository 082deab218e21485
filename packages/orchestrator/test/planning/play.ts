import type { JsonObject, JsonValue } from '@svc/contracts';
import type {
  CallOutcome,
  PlanContext,
  RecordedCall,
  RecordedStep,
} from '../../src/planning/plan-context.js';
import type { CallStep } from '../../src/planning/plan-step.js';
import type { Planner } from '../../src/planning/planner.js';
import { nextCalls } from '../../src/planning/policy/next-calls.js';
import { exhaustedRequirement, planLimits } from '../../src/planning/policy/plan-limits.js';
import { recordedCalls } from '../../src/planning/policy/run-record.js';
import { runResult } from '../../src/planning/policy/run-result.js';
import { settleStep } from '../../src/planning/policy/settle-step.js';

/** The results of tools in a test: a value, or a function of the arguments that may throw. */
export type Answers = Readonly<Record<string, JsonValue | ((args: JsonObject) => JsonValue)>>;

/** The outcome of a played run. */
export interface Played {
  /** `name {args}` of the calls, one list per wave; `? prompt` for questions. */
  readonly waves: readonly (readonly string[])[];
  readonly text: string;
  readonly streamed: string;
  readonly result: JsonValue;
  readonly endedBy: 'planner' | 'rule' | 'failure';
  readonly context: PlanContext;
}

interface Playing {
  readonly planner: Planner;
  readonly answers: Answers;
  /** The user's answers by argument name; absent means declined. */
  readonly person?: Readonly<Record<string, JsonValue>>;
}

const show = (call: { tool_id: string; args: JsonObject }) => {
  const name = call.tool_id.replace(/^t-/, '');
  const args = Object.fromEntries(Object.entries(call.args).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return Object.keys(args).length === 0 ? name : `${name} ${JSON.stringify(args)}`;
};

function answerCall(call: RecordedCall, answers: Answers): CallOutcome {
  const answer = answers[call.tool_id.replace(/^t-/, '')] ?? null;
  try {
    return { status: 'ok', result: typeof answer === 'function' ? answer(call.args) : answer };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const retryable = error.name === 'Retryable';
    return { status: 'error', error: { code: 'TOOL_FAILED', message: error.message, retryable } };
  }
}

/** Runs one call step to its end, wave by wave, as the loop does. */
function runCalls(step: CallStep, context: PlanContext, answers: Answers, waves: string[][]): RecordedCall[] {
  const round = context.steps.length;
  let calls: RecordedCall[] = step.calls.map((call, index) => ({ ...call, call_id: `c${round}-${index}` }));
  for (;;) {
    const next = nextCalls({
      calls,
      inFlight: new Set(),
      tools: context.tools,
      earlier: recordedCalls(context),
      constraints: context.constraints,
    });
    if (next.done) return calls;
    const started = calls.filter((call) => next.start.includes(call.call_id));
    if (started.length > 0) waves.push(started.map(show));
    calls = calls.map((call): RecordedCall => {
      const skip = next.skip.find((each) => each.call_id === call.call_id);
      if (skip) return { ...call, outcome: { status: 'error', error: skip.failure } };
      return started.includes(call) ? { ...call, outcome: answerCall(call, answers) } : call;
    });
  }
}

/** Plays a whole run against a planner, with the same rules as the real loop and tools that answer at once. */
export async function play(start: PlanContext, { planner, answers, person = {} }: Playing): Promise<Played> {
  const waves: string[][] = [];
  let steps: readonly RecordedStep[] = start.steps;
  let streamed = '';
  let refusals = 0;
  const signal = new AbortController().signal;
  for (let turn = 0; turn < 30; turn += 1) {
    const context = { ...start, steps };
    const { ended_by } = planLimits(context);
    const result = (planned?: JsonValue) => runResult(context, planned);
    if (ended_by) return { waves, text: '', streamed, result: result(), endedBy: 'rule', context };
    const exhausted = exhaustedRequirement(context);
    if (exhausted)
      return { waves, text: exhausted.message, streamed, result: null, endedBy: 'failure', context };
    const step = await planner.next(context, { signal, onText: (delta) => (streamed += delta) });
    const settled = settleStep(step, context);
    // A step that the rules replaced keeps the planner's state.
    const kept = step.state === undefined ? {} : { state: step.state };
    if (!settled.ok) {
      refusals += 1;
      if (refusals > 5) throw new Error(`refused repeatedly: ${settled.problems.join(' ')}`);
      steps = [...steps, { type: 'feedback', rejected: step, problems: settled.problems }];
    } else if (settled.step.type === 'finish') {
      const { text, result: planned } = settled.step;
      return { waves, text, streamed, result: result(planned), endedBy: 'planner', context };
    } else if (settled.step.type === 'ask') {
      waves.push(settled.step.questions.map((question) => `? ${question.prompt}`));
      const answered = settled.step.questions.map((question) => [
        question.question_id,
        person[question.arg_name ?? ''] ?? null,
      ]);
      steps = [...steps, { ...kept, ...settled.step, answers: Object.fromEntries(answered) }];
    } else {
      steps = [
        ...steps,
        { ...kept, ...settled.step, calls: runCalls(settled.step, context, answers, waves) },
      ];
    }
  }
  throw new Error(`the run does not end: ${JSON.stringify(waves)}`);
}
