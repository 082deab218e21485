import * as z from 'zod';
import { cutText } from '../../cut-text.js';
import type { PlanContext } from '../plan-context.js';
import type { AskStep, PlannedQuestion, PlanStep, PlanUsage } from '../plan-step.js';
import type { ModelCall, ModelTurn } from './model-turn.js';
import { ASK_TOOL_NAME, type ToolNames } from './tool-names.js';

/** A turn as a step, or its problems, call by call, for a retry. */
export type ReadTurn =
  | { readonly ok: true; readonly step: PlanStep }
  | { readonly ok: false; readonly problem: string };

const QuestionsSchema = z.object({
  questions: z
    .array(
      z.object({
        prompt: z.string().min(1),
        input_type: z.enum(['text', 'choice', 'boolean', 'number']).catch('text').default('text'),
        choices: z.array(z.string()).min(1).optional().catch(undefined),
      }),
    )
    .min(1),
});

/** The questions of all calls that ask, as one step; undefined when one of them has no prompt. */
function askStep(calls: readonly ModelCall[], context: PlanContext): AskStep | undefined {
  const parsed = calls.map(({ args }) => QuestionsSchema.safeParse(args).data?.questions);
  if (parsed.includes(undefined)) return undefined;
  const asked = parsed.flatMap((each) => each ?? []);
  const questions = asked.map(({ prompt, input_type, choices }, index): PlannedQuestion => {
    const type = choices ? 'choice' : input_type === 'choice' ? 'text' : input_type;
    const id = `q${context.steps.length + 1}.${index + 1}`;
    return { question_id: id, prompt, input_type: type, ...(choices ? { choices } : {}) };
  });
  return { type: 'ask', questions };
}

/** Reads a model's turn. `usage` covers it and the tries before it. */
export function readModelTurn(
  turn: ModelTurn,
  context: PlanContext,
  names: ToolNames,
  usage: PlanUsage,
): ReadTurn {
  const { calls, text, state } = turn;
  const noted = { usage, state };
  const broken = calls.find((call) => call.args === undefined);
  if (broken)
    return {
      ok: false,
      problem: `The arguments of ${broken.name} are not a JSON object: ${cutText(broken.raw, 200)}`,
    };
  const asking = calls.filter((call) => call.name === ASK_TOOL_NAME);
  if (asking.length > 0) {
    const step = askStep(asking, context);
    return step
      ? { ok: true, step: { ...step, ...noted } }
      : { ok: false, problem: 'Every question needs a prompt.' };
  }
  if (calls.length === 0)
    return text.trim() === ''
      ? { ok: false, problem: 'You said nothing. Call a tool or answer.' }
      : { ok: true, step: { type: 'finish', text, ...noted } };
  const planned = calls.map(({ name, args }) => ({ tool_id: names.idOf(name), args: args ?? {} }));
  return { ok: true, step: { type: 'call', calls: planned, ...(text === '' ? {} : { text }), ...noted } };
}
