import { isDeepStrictEqual } from 'node:util';
import { cutText } from '../../cut-text.js';
import type { PlanContext, RecordedStep } from '../plan-context.js';
import type { FinishStep, PlannedCall, PlanStep } from '../plan-step.js';
import type { Planner, PlannerIo } from '../planner.js';
import { firstCalls } from '../policy/first-calls.js';
import { planLimits } from '../policy/plan-limits.js';
import { questionsOf } from './answer/ask.js';
import { composeAnswer, composeFindings } from './answer/compose-answer.js';
import { converse } from './answer/converse.js';
import { buildGoals, type GoalPlan } from './goals/goals.js';
import { pendingCalls, type GoalProgress } from './goals/goal-progress.js';
import { ProgressReader } from './goals/progress-reader.js';
import { readRequest, type Request } from './mentions/request.js';

/** After a refused answer, repeating it as blocked ends the run instead of looping. */
const wasRefused = (last: RecordedStep | undefined) =>
  last?.type === 'feedback' && last.rejected.type === 'finish';

interface Plan {
  readonly request: Request;
  readonly plan: GoalPlan;
  readonly progress: readonly GoalProgress[];
}

function makePlan(context: PlanContext): Plan {
  const request = readRequest(context);
  const plan = buildGoals(request, context);
  const progress = new ProgressReader(context, request.given, composeFindings).read(plan.goals);
  return { request, plan, progress };
}

function answerText(
  context: PlanContext,
  { request, plan, progress }: Plan,
  stopped: string | undefined,
): string {
  const isAnswered = plan.recalled.length > 0 && request.given.size === 0;
  if (progress.length === 0 && !isAnswered) return converse(request, context);
  return composeAnswer({ plan, progress, ...(stopped === undefined ? {} : { stopped }) });
}

function finish(context: PlanContext, plan: Plan, stopped: string | undefined): FinishStep {
  const blocked = wasRefused(context.steps.at(-1)) ? { blocked: true } : {};
  return { type: 'finish', text: answerText(context, plan, stopped), ...blocked };
}

/** Calls that may be made now. A producer and its consumer go together: the loop runs them in order. */
function callableNow(progress: readonly GoalProgress[], allowed: ReadonlySet<string>): PlannedCall[] {
  const calls = progress.flatMap(pendingCalls).filter((call) => allowed.has(call.tool_id));
  return calls.filter((call, index) => calls.findIndex((each) => isDeepStrictEqual(each, call)) === index);
}

function decide(context: PlanContext): PlanStep {
  const limits = planLimits(context);
  const plan = makePlan(context);
  if (limits.must_finish !== undefined) return finish(context, plan, limits.must_finish);
  const isRefused = wasRefused(context.steps.at(-1));
  const questions = isRefused ? [] : questionsOf(plan.progress);
  if (questions.length > 0) return { type: 'ask', questions };
  const systemTools = context.system_tools.map((tool) => tool.name);
  const allowed = new Set([...limits.callable.map((tool) => tool.tool_id), ...systemTools]);
  const calls = callableNow(plan.progress, allowed);
  return calls.length > 0
    ? { type: 'call', calls: firstCalls(calls, context.tools) }
    : finish(context, plan, undefined);
}

/** Without any result, the only text there is to write is the quoted one. */
const quotedText = (instructions: string) => /["“]([^"”]+)["”]/.exec(instructions)?.[1] ?? '';

/** Streams one paragraph at a time, so that a page shows the answer growing as with a model. */
function streamText(text: string, { onText, signal }: PlannerIo): void {
  for (const piece of text.split(/(?<=\n\n)/)) {
    signal.throwIfAborted();
    onText(piece);
  }
}

/**
 * Creates a deterministic planner that uses no model and no network. It matches the words of a request with the names,
 * descriptions and schemas of the tools, fills arguments from the text and from earlier results, asks for what it
 * cannot fill, and writes the answer from the results. It invents nothing.
 */
export function offlinePlanner(): Planner {
  return {
    name: 'offline',
    next: async (context, io) => {
      io.signal.throwIfAborted();
      const step = decide(context);
      if (step.type === 'finish') streamText(step.text, io);
      return step;
    },
    compose: async ({ instructions, maxLength }, context, io) => {
      io.signal.throwIfAborted();
      const whole = composeFindings(makePlan(context).progress) || quotedText(instructions);
      const text = cutText(whole, maxLength);
      io.onText(text);
      return { text };
    },
  };
}
