import type { JournalEntry, RunRecord } from '@svc/contracts/orchestrator';
import { ASSISTANT_ID } from './emit.js';
import { eventEntry } from './session-record.js';

const messages = {
  RUN_LOST: 'The run could not be taken up again after a restart.',
  RUN_BROKEN: 'The orchestrator failed again and again at this run; its log says why.',
} as const;

/** Why a run is ended whose journal cannot be worked on. */
export type GiveUpCode = keyof typeof messages;

/** The entries that end a run without reading its journal. */
export function giveUpEntries(
  { sessionId, threadId, createdAtMs }: Pick<RunRecord, 'sessionId' | 'threadId' | 'createdAtMs'>,
  { code, nowMs }: { code: GiveUpCode; nowMs: number },
): JournalEntry[] {
  const message = messages[code];
  const payload = {
    session_id: sessionId,
    assistant_id: ASSISTANT_ID,
    ...(threadId === undefined ? {} : { thread_id: threadId }),
    status: 'failed',
    started_at: new Date(createdAtMs).toISOString(),
    completed_at: new Date(nowMs).toISOString(),
    messages: [],
    metadata: {},
    responses: [],
    result: null,
    error: message,
    error_info: { code, message },
  };
  return [eventEntry('final', payload, { key: 'final' })];
}
