import type { ModelMessage } from 'ai';
import type { PlanContext } from '../plan-context.js';
import type { PlanStep, PlanUsage } from '../plan-step.js';
import type { Planner, PlannerIo } from '../planner.js';
import { PlannerError } from '../planner-error.js';
import { fillableProblems } from '../policy/check-json.js';
import { addUsage } from './add-usage.js';
import { callModel } from './call-model.js';
import { composeText } from './compose-text.js';
import { modelRequest, readModelOptions, type ModelPlannerOptions } from './model-request.js';
import { readModelTurn } from './model-step.js';
import type { ModelTurn } from './model-turn.js';
import { ToolNames } from './tool-names.js';
import { notRun, ruleMessage, turnMessages } from './turn-messages.js';

/** Retries within one turn after malformed arguments or an empty answer. */
const maxRepairs = 2;

/** Shows the model its own turn and what was wrong with it. */
function repairMessages({ calls, state }: ModelTurn, problem: string): ModelMessage[] {
  const messages = turnMessages(state, notRun(problem));
  return calls.length > 0 ? messages : [...messages, ruleMessage(problem)];
}

/** A structured answer gets one repair: the second invalid one ends the run. */
function refuseStructured(step: PlanStep, context: PlanContext): void {
  const wanted = context.constraints.structured_output;
  if (!wanted) return;
  const problemsOf = (each: PlanStep): string[] =>
    (each.type === 'call' ? each.calls : [])
      .filter((call) => call.tool_id === wanted.tool_id)
      .flatMap((call) => fillableProblems(wanted.schema, call.args));
  const problems = problemsOf(step);
  const wasRepaired = context.steps.some(
    (each) => each.type === 'feedback' && problemsOf(each.rejected).length > 0,
  );
  if (problems.length > 0 && wasRepaired)
    throw new PlannerError(
      `The answer is not a valid ${wanted.name} after one repair: ${problems.join(' ')}`,
      {
        code: 'STRUCTURED_OUTPUT_INVALID',
        details: { name: wanted.name, problems },
      },
    );
}

/** Text that was streamed cannot be taken back: that of a further try is left to its step, which replaces it. */
const silenced = ({ signal }: PlannerIo): PlannerIo => ({ signal, onText: () => undefined });

async function decide(context: PlanContext, io: PlannerIo, options: ModelPlannerOptions): Promise<PlanStep> {
  const names = new ToolNames(context);
  const request = modelRequest(context, names, options);
  const messages = [...request.messages];
  const used: PlanUsage[] = [];
  let hasSpoken = false;
  try {
    for (let repairs = 0; ; repairs += 1) {
      const turn = await callModel({ ...request, messages }, hasSpoken ? silenced(io) : io);
      used.push(turn.usage);
      hasSpoken ||= turn.text !== '';
      const read = readModelTurn(turn, context, names, used.reduce(addUsage));
      if (read.ok) {
        refuseStructured(read.step, context);
        return read.step;
      }
      if (repairs >= maxRepairs)
        throw new PlannerError(`The model’s turns are malformed: ${read.problem}`, {
          code: 'PLANNER_INVALID_STEP',
        });
      messages.push(...repairMessages(turn, read.problem));
    }
  } catch (error) {
    if (error instanceof PlannerError) addEarlierUsage(error, used);
    throw error;
  }
}

/** Adds the tokens of the turns before the one that failed. */
function addEarlierUsage(error: PlannerError, used: readonly PlanUsage[]): void {
  const all = error.usage ? [...used, error.usage] : used;
  if (all.length > 0) error.usage = all.reduce(addUsage);
}

/**
 * Creates a planner that uses a language model: native parallel tool calls, streamed text, questions to the user.
 * Malformed turns are returned to the model, structured answers get one repair, and rate limits and outages are retried
 * with exponential backoff.
 * @throws RangeError naming an invalid option
 */
export function modelPlanner(options: ModelPlannerOptions): Planner {
  const settings = readModelOptions(options);
  return {
    name: 'model',
    next: (context, io) => decide(context, io, settings),
    compose: (request, context, io) => composeText(request, context, io, settings),
  };
}
