import type { ResumeResponse, ResumeValue, RunStore } from '@svc/contracts/orchestrator';
import { callOutcome } from './call-outcome.js';
import { readSessionState } from '../record/find-session.js';
import { entryOf } from '../record/session-record.js';
import type { SessionState } from '../record/session-state.js';

/** What `acceptResult` needs. The state that it reads may lag behind the journal. */
export interface ResultIntake {
  readonly store: RunStore;
  readonly sessionId: string;
  readonly nowMs: number;
  readonly readState: () => Promise<SessionState>;
}

/** Accepts a call's result, at most once per call. Resolves once the result is written. */
export async function acceptResult(
  value: ResumeValue,
  { store, sessionId, nowMs, readState }: ResultIntake,
): Promise<ResumeResponse> {
  const callId = value.tool_event_id;
  const call = (await readState()).calls.get(callId);
  if (call?.sentAtMs === undefined) return { accepted: false, reason: 'unknown' };
  if (call.outcome) return refused(call.cause);
  const outcome = callOutcome(value, call.isAgent ?? false);
  const entries = [entryOf('outcome', { call_id: callId, outcome, cause: 'posted' })];
  const written = await store.append(sessionId, { entries, nowMs });
  if (written.outcome === 'appended') return { accepted: true };
  return refused((await readSessionState(store, sessionId)).calls.get(callId)?.cause);
}

function refused(cause: string | undefined): ResumeResponse {
  return { accepted: false, reason: cause === 'posted' ? 'duplicate' : 'late' };
}
