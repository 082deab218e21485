import type { JsonValue } from '@svc/contracts';
import type { CheckpointResumeRequest, RunRecord, RunStore } from '@svc/contracts/orchestrator';
import { RequestError } from '../../errors.js';
import type { QuestionInputType } from '../../planning/plan-step.js';
import { parseAnswer } from '../../planning/policy/parse-answer.js';
import { readSessionState } from '../record/find-session.js';
import { entryOf } from '../record/session-record.js';
import type { CheckpointState } from '../record/session-state.js';

const inputTypes: Readonly<Record<string, QuestionInputType>> = {
  choice: 'choice',
  literal: 'choice',
  boolean: 'boolean',
  number: 'number',
};

/** What `acceptAnswer` needs. */
export interface AnswerIntake {
  readonly store: RunStore;
  readonly record: RunRecord;
  readonly checkpointId: string;
  readonly nowMs: number;
  /**
   * Removes private values from a free-text answer. A choice or a boolean comes from the question itself and is kept.
   */
  readonly clean: (value: JsonValue) => JsonValue;
}

/**
 * Accepts the answer to a checkpoint: once, before it expires, and only for the arguments it was asked for. The same
 * answer again changes nothing. Resolves once the answer is written.
 * @throws RequestError `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_ANSWERED`, `CHECKPOINT_EXPIRED`, `CHECKPOINT_MISMATCH`,
 * `INVALID_ANSWER`, `RUN_ENDED`
 */
export async function acceptAnswer(
  body: CheckpointResumeRequest,
  { store, record, checkpointId, nowMs, clean }: AnswerIntake,
): Promise<void> {
  const state = await readSessionState(store, record.sessionId);
  const checkpoint = state.checkpoints.get(checkpointId);
  if (!checkpoint) throw new RequestError('There is no such checkpoint.', { code: 'CHECKPOINT_NOT_FOUND' });
  if (body.args_digest != null && body.args_digest !== checkpoint.args_digest) {
    throw new RequestError('The answer is for arguments other than those of the checkpoint.', {
      code: 'CHECKPOINT_MISMATCH',
    });
  }
  const answer = readAnswer(body, checkpoint);
  const value = isClosed(checkpoint) ? answer : clean(answer);
  if (isSettled(checkpoint, value, nowMs)) return;
  const entries = [entryOf('answer', { checkpoint_id: checkpointId, value, cause: 'posted' })];
  const written = await store.append(record.sessionId, { entries, nowMs });
  if (written.outcome === 'ended' || written.outcome === 'missing') throw runEnded();
  if (written.outcome === 'duplicate') {
    const now = (await readSessionState(store, record.sessionId)).checkpoints.get(checkpointId);
    if (now) isSettled(now, value, nowMs);
  }
}

/** How a checkpoint is answered. A choice without choices is answered with text. */
function typeOf({ input_type, choices }: CheckpointState): QuestionInputType {
  const wanted = inputTypes[input_type ?? ''] ?? 'text';
  return wanted === 'choice' && !choices?.length ? 'text' : wanted;
}

/** Whether every valid answer is known in advance, as with a boolean or a choice. */
function isClosed(checkpoint: CheckpointState): boolean {
  return ['boolean', 'choice'].includes(typeOf(checkpoint));
}

/** Whether this same answer was already posted. Throws when the checkpoint has another answer or has expired. */
function isSettled({ answer, expires_at_ms }: CheckpointState, value: JsonValue, nowMs: number): boolean {
  if (answer?.cause === 'posted') {
    if (answer.value === value) return true;
    throw new RequestError('The checkpoint has already been answered.', {
      code: 'CHECKPOINT_ANSWERED',
    });
  }
  if (answer || expires_at_ms <= nowMs) {
    throw new RequestError('The checkpoint has expired.', { code: 'CHECKPOINT_EXPIRED' });
  }
  return false;
}

function readAnswer({ interrupt_data }: CheckpointResumeRequest, checkpoint: CheckpointState): JsonValue {
  const { data_key, question_id, choices } = checkpoint;
  if (!Object.hasOwn(interrupt_data, data_key)) {
    const message = `interrupt_data must contain the answer as "${data_key}".`;
    throw new RequestError(message, { code: 'INVALID_ANSWER', details: { data_key } });
  }
  const expected = { input_type: typeOf(checkpoint), ...(choices ? { choices } : {}) };
  const question = { ...expected, question_id: question_id ?? data_key, prompt: '' };
  const answer = parseAnswer(question, interrupt_data[data_key]);
  if (answer !== undefined) return answer;
  // The answer may be a secret, so it is not repeated.
  throw new RequestError(`The answer for "${data_key}" is not a valid ${expected.input_type}.`, {
    code: 'INVALID_ANSWER',
    details: { data_key, ...expected },
  });
}

function runEnded(): RequestError {
  return new RequestError('The run has ended.', { code: 'RUN_ENDED' });
}
