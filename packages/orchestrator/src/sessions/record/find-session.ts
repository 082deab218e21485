import type { RunRecord, RunStore } from '@svc/contracts/orchestrator';
import { RequestError } from '../../errors.js';
import type { Caller } from '../../keys/key-ring.js';
import { applyRecord, createSessionState, type SessionState } from './session-state.js';

const pageSize = 1000;

/**
 * Finds a run that belongs to the caller's project. This is the project boundary of every session route.
 * @throws RequestError `SESSION_NOT_FOUND`, `PROJECT_FORBIDDEN`
 */
export async function findSession(store: RunStore, sessionId: string, caller: Caller): Promise<RunRecord> {
  const record = await store.readRun(sessionId);
  if (!record) {
    throw new RequestError('There is no such session; it may have expired.', { code: 'SESSION_NOT_FOUND' });
  }
  if (record.projectId !== caller.project) {
    throw new RequestError('The session belongs to another project.', {
      code: 'PROJECT_FORBIDDEN',
    });
  }
  return record;
}

/** Reads a run's state from its journal. */
export async function readSessionState(store: RunStore, sessionId: string): Promise<SessionState> {
  const state = createSessionState(sessionId);
  for (;;) {
    const page = await store.readJournal(sessionId, { afterSeq: state.lastSeq, limit: pageSize });
    for (const record of page) applyRecord(state, record);
    if (page.length < pageSize) return state;
  }
}
