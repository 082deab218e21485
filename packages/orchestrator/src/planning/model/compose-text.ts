import type { PlanContext } from '../plan-context.js';
import type { ComposedText, ComposeRequest, PlannerIo } from '../planner.js';
import { callModel } from './call-model.js';
import { modelRequest, type ModelPlannerOptions } from './model-request.js';
import { ToolNames } from './tool-names.js';
import { silentTurn } from './turn-state.js';

/**
 * Leaves out calls without an outcome, including the one that asked for the text. The others are no whole turn of the
 * model then.
 */
function withoutOpenCalls(context: PlanContext): PlanContext {
  const last = context.steps.at(-1);
  if (last?.type !== 'call') return context;
  const ended = last.calls.filter((call) => call.outcome !== undefined);
  if (ended.length === last.calls.length) return context;
  const before = context.steps.slice(0, -1);
  return {
    ...context,
    steps: ended.length === 0 ? before : [...before, { type: 'call', calls: ended, state: silentTurn }],
  };
}

/** Lets a model write the text of one argument from what the run knows, without calling tools. */
export async function composeText(
  { target, instructions, maxLength }: ComposeRequest,
  context: PlanContext,
  io: PlannerIo,
  options: ModelPlannerOptions,
): Promise<ComposedText> {
  const earlier = withoutOpenCalls(context);
  const request = modelRequest(earlier, new ToolNames(earlier), options);
  const instruction = `[planning rules] Write the text for ${target}. At most ${maxLength} characters. Reply with the text alone.\n\n${instructions}`;
  const turn = await callModel(
    {
      ...request,
      toolChoice: 'none',
      messages: [...request.messages, { role: 'user', content: instruction }],
    },
    io,
  );
  return { text: turn.text, usage: turn.usage };
}
