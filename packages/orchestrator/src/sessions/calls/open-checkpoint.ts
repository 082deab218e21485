import type { RuleInput } from '../record/decision.js';
import type { CheckpointData } from '../record/session-record.js';

/** Opens a checkpoint. Its id contains the session's, so that an answer can be routed. */
export function openCheckpoint(
  draft: Omit<CheckpointData, 'checkpoint_id' | 'expires_at_ms'>,
  { facts, nowMs, newId, dataKeys }: RuleInput,
): CheckpointData {
  return {
    ...draft,
    data_key: unusedDataKey(draft.data_key, dataKeys),
    checkpoint_id: checkpointId(facts.sessionId, newId()),
    expires_at_ms: nowMs + facts.checkpointTtlMs,
  };
}

/** The original clients answer a data key once per run and skip it afterwards, so each question gets its own key. */
function unusedDataKey(dataKey: string, used: Set<string>): string {
  let unused = dataKey;
  for (let number = 2; used.has(unused); number += 1) unused = `${dataKey}_${number}`;
  used.add(unused);
  return unused;
}

function checkpointId(sessionId: string, unique: string): string {
  return `${sessionId}.${unique}`;
}

/** The session that a checkpoint id belongs to, or undefined for a foreign id. */
export function sessionOfCheckpoint(checkpoint: string): string | undefined {
  const dot = checkpoint.indexOf('.');
  return dot > 0 ? checkpoint.slice(0, dot) : undefined;
}
