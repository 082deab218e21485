import type { JournalEntry, RunRecord, RunStore, SessionRequest } from '@svc/contracts/orchestrator';
import { entryOf, waitEntry } from '../record/session-record.js';
import type { SessionFacts } from '../record/session-facts.js';
import type { CallState } from '../record/session-state.js';

/** Links a new session to the run and call that it answers, when the request names one of its own project. */
export async function noteNestedRun(
  store: RunStore,
  { sessionId, projectId, nowMs }: Pick<RunRecord, 'sessionId' | 'projectId'> & { nowMs: number },
  { swarm_config: swarm }: SessionRequest,
): Promise<void> {
  // A producer that a client runs for a call has an id of the call's id, a slash and its own name.
  const [callId] = swarm?.parent_tool_event_id?.split('/') ?? [];
  if (!callId || !swarm?.parent_session_id) return;
  const parent = await store.readRun(swarm.parent_session_id);
  if (parent?.projectId !== projectId) return;
  const entries = [entryOf('nested', { call_id: callId, session_id: sessionId })];
  await store.append(parent.sessionId, { entries, nowMs });
}

/**
 * What happens to calls whose time is up. A call keeps waiting while a session started to answer it is alive. Once all
 * have ended, the usual time remains to post the result; after that the call has failed.
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

/** The entry that ends a call whose result did not arrive in time. */
export function expiredEntry({ call_id }: CallState, { toolTimeoutMs }: SessionFacts): JournalEntry {
  const error = {
    code: 'TOOL_TIMEOUT',
    message: `No result within ${toolTimeoutMs / 1000} s.`,
    retryable: true,
  };
  return entryOf('outcome', { call_id, outcome: { status: 'error', error }, cause: 'expired' });
}
