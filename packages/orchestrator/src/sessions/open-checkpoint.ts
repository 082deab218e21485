import type { CheckpointData } from './session-record.js';
import type { SessionFacts } from './session-facts.js';
import type { CallState, CheckpointState, SessionState } from './session-state.js';

/** What a decision is made from. */
export interface DecideInput {
  readonly state: SessionState;
  readonly facts: SessionFacts;
  readonly nowMs: number;
  /** When this process took the run over from another process or life; absent when it started it. */
  readonly takenOverAtMs?: number | undefined;
  /** Makes a new unguessable id. */
  readonly newId: () => string;
  readonly limits: { readonly maxEvents: number; readonly maxRejectedSteps: number };
}

/** What the rules of a decision share. */
export interface RuleInput extends DecideInput {
  /** The data keys in use, those of this decision included. */
  readonly dataKeys: Set<string>;
}

/** A new checkpoint. Its id names the session, so that an answer finds its way. */
export function openCheckpoint(
  asked: Omit<CheckpointData, 'checkpoint_id' | 'expires_at_ms'>,
  { facts, nowMs, newId, dataKeys }: RuleInput,
): CheckpointData {
  return {
    ...asked,
    data_key: unusedDataKey(asked.data_key, dataKeys),
    checkpoint_id: checkpointId(facts.sessionId, newId()),
    expires_at_ms: nowMs + facts.checkpointTtlMs,
  };
}

/** An original client answers a data key once per run and skips it from then on, so each question has its own. */
function unusedDataKey(dataKey: string, used: Set<string>): string {
  let unused = dataKey;
  for (let number = 2; used.has(unused); number += 1) unused = `${dataKey}_${number}`;
  used.add(unused);
  return unused;
}

export function checkpointOfArgument(
  state: SessionState,
  call: CallState,
  argName: string,
): CheckpointState | undefined {
  return [...state.checkpoints.values()].find(
    ({ call_id, arg_name }) => call_id === call.call_id && arg_name === argName,
  );
}

function checkpointId(sessionId: string, unique: string): string {
  return `${sessionId}.${unique}`;
}

/** The session a checkpoint id belongs to, or nothing when it is none of ours. */
export function sessionOfCheckpoint(checkpoint: string): string | undefined {
  const dot = checkpoint.indexOf('.');
  return dot > 0 ? checkpoint.slice(0, dot) : undefined;
}
