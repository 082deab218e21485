import type { PlannerIo } from '../planner.js';
import { PlannerError } from '../planner-error.js';
import { isPassing, plannerErrorOf } from './model-error.js';
import { inModelSpan } from './model-span.js';
import { runModelTurn, type ModelRequest, type ModelTurn } from './model-turn.js';

const endings: Readonly<
  Record<string, { code: 'PLANNER_LENGTH' | 'PLANNER_REFUSED' | 'PLANNER_UNAVAILABLE'; message: string }>
> = {
  length: {
    code: 'PLANNER_LENGTH',
    message: 'The model’s answer was cut off at its length limit. Ask for less, or raise maxOutputTokens.',
  },
  'content-filter': { code: 'PLANNER_REFUSED', message: 'The model declined to answer.' },
  error: { code: 'PLANNER_UNAVAILABLE', message: 'The model stopped with an error.' },
  interrupted: { code: 'PLANNER_UNAVAILABLE', message: 'The model’s answer was interrupted.' },
};

function refuseEndings(turn: ModelTurn): void {
  const ending = endings[turn.finishReason];
  if (!ending) return;
  const { code, message } = ending;
  const error = new PlannerError(message, { code, details: { finish_reason: turn.finishReason } });
  error.usage = turn.usage;
  throw error;
}

/** Calls the model, once more if the first call breaks off before any text. */
async function callTwice(request: ModelRequest, io: PlannerIo): Promise<ModelTurn> {
  let hasSpoken = false;
  const heard: PlannerIo = {
    signal: io.signal,
    onText: (delta) => {
      hasSpoken = true;
      io.onText(delta);
    },
  };
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await inModelSpan(request.model, () => runModelTurn(request, heard));
    } catch (error) {
      io.signal.throwIfAborted();
      if (isAgain || hasSpoken || request.maxRetries === 0 || !isPassing(error))
        throw await plannerErrorOf(error, request.model);
    }
  }
}

/** Calls a model and refuses endings without an answer. @throws PlannerError, or the signal's reason when aborted */
export async function callModel(request: ModelRequest, io: PlannerIo): Promise<ModelTurn> {
  const turn = await callTwice(request, io);
  refuseEndings(turn);
  return turn;
}
