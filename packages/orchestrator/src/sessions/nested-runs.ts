import type { JournalEntry, RunRecord, RunStore, SessionRequest } from '@svc/contracts/orchestrator';
import { entryOf, waitEntry } from './session-record.js';
import type { SessionFacts } from './session-facts.js';
import type { CallState } from './session-state.js';

/** Notes a new session with the run and the call that it is to answer, when the request names one of its own project. */
export async function noteNestedRun(
  store: RunStore,
  { sessionId, projectId, nowMs }: Pick<RunRecord, 'sessionId' | 'projectId'> & { nowMs: number },
  { swarm_config: swarm }: SessionRequest,
): Promise<void> {
  // A producer that a client runs for a call has the call's id before its own name.
  const [callId] = swarm?.parent_tool_event_id?.split('/') ?? [];
  if (!callId || !swarm?.parent_session_id) return;
  const parent = await store.readRun(swarm.parent_session_id);
  if (parent?.projectId !== projectId) return;
  const entries = [entryOf('nested', { call_id: callId, session_id: sessionId })];
  await store.append(parent.sessionId, { entries, nowMs });
}

/**
 * What becomes of calls whose time is up. While a session that was started to answer one is alive, the call waits on;
 * once all have ended, there is the usual time to post what they came to; then the call has failed.
 */
export async function lateCallEntries(
  calls: readonly CallState[],
  { store, facts, nowMs }: { store: RunStore; facts: SessionFacts; nowMs: number },
): Promise<JournalEntry[]> {
  return Promise.all(
    calls.map(async (call) => {
      const runs = await Promise.all((call.nested ?? []).map((sessionId) => store.readRun(sessionId)));
      const aliveAtMs = runs.map((run) => (run ? (run.endedAtMs ?? nowMs) : -Infinity));
      const expires_at_ms = Math.max(...aliveAtMs) + facts.toolTimeoutMs;
      const { call_id } = call;
      return expires_at_ms > nowMs ? waitEntry({ call_id, expires_at_ms }) : expiredEntry(call, facts);
    }),
  );
}

/** The entry that ends a call whose result did not come in time. */
export function expiredEntry({ call_id }: CallState, { toolTimeoutMs }: SessionFacts): JournalEntry {
  const error = {
    code: 'TOOL_TIMEOUT',
    message: `No result within ${toolTimeoutMs / 1000} s.`,
    retryable: true,
  };
  return entryOf('outcome', { call_id, outcome: { status: 'error', error }, cause: 'expired' });
}
