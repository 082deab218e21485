import type { JournalEntry, RunRecord } from '@svc/contracts/orchestrator';
import { failedPayload } from './final.js';
import { eventEntry } from '../record/session-record.js';

const messages = {
  RUN_LOST: 'The run could not be resumed after a restart.',
  RUN_BROKEN: 'The orchestrator failed repeatedly on this run; see its logs.',
} as const;

/** Why a run whose journal cannot be worked on is ended. */
export type GiveUpCode = keyof typeof messages;

/** The entries that end a run without reading its journal. */
export function giveUpEntries(
  run: Pick<RunRecord, 'sessionId' | 'threadId' | 'createdAtMs'>,
  { code, nowMs }: { code: GiveUpCode; nowMs: number },
): JournalEntry[] {
  const payload = failedPayload(run, { status: 'failed', code, message: messages[code], nowMs });
  // No key: a journal that contradicts itself may have it.
  return [eventEntry('final', payload)];
}
