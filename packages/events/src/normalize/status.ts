import type { AppEvent } from '@svc/contracts';
import { readCleanText } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { buildStatusMessagePayload } from '../payloads/status.js';

/** Normalizes a status line; without a message it is left out. */
export function normalizeStatusMessage(payload: JsonRecord): AppEvent[] {
  const message = readCleanText(payload.message);
  if (message === undefined) return [];
  return [
    buildStatusMessagePayload({ assistantId: readCleanText(payload.assistant_id) ?? 'assistant', message }),
  ];
}
