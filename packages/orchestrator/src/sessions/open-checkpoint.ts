import type { RuleInput } from './decision.js';
import type { CheckpointData } from './session-record.js';

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

function checkpointId(sessionId: string, unique: string): string {
  return `${sessionId}.${unique}`;
}

/** The session a checkpoint id belongs to, or nothing when it is none of ours. */
export function sessionOfCheckpoint(checkpoint: string): string | undefined {
  const dot = checkpoint.indexOf('.');
  return dot > 0 ? checkpoint.slice(0, dot) : undefined;
}
