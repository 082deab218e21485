import type { PlannerIo } from '../planner.js';
import { PlannerError } from '../planner-error.js';
import { isTransient, plannerErrorOf } from './model-error.js';
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

/** Calls the model, and retries once if the call breaks off before any text. */
async function callWithRetry(request: ModelRequest, io: PlannerIo): Promise<ModelTurn> {
  let hasStreamed = false;
  const watched: PlannerIo = {
    signal: io.signal,
    onText: (delta) => {
      hasStreamed = true;
      io.onText(delta);
    },
  };
  for (let isAgain = false; ; isAgain = true) {
    const isLast = () => isAgain || hasStreamed || request.maxRetries === 0;
    try {
      const turn = await inModelSpan(request.model, () => runModelTurn(request, watched));
      // Some providers report a stream that broke off as an ending.
      if (turn.finishReason !== 'interrupted' || isLast()) return turn;
    } catch (error) {
      io.signal.throwIfAborted();
      if (isLast() || !isTransient(error)) throw await plannerErrorOf(error, request.model);
    }
  }
}

/** Calls a model and refuses endings without an answer. @throws PlannerError, or the signal's reason when aborted */
export async function callModel(request: ModelRequest, io: PlannerIo): Promise<ModelTurn> {
  const turn = await callWithRetry(request, io);
  refuseEndings(turn);
  return turn;
}
