import type { AppEvent } from '@svc/contracts';
import { readCleanText, readFilledRecord, readKey, readList, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { buildSessionStartPayload, composeError, composeFinal } from '../payloads/turn.js';
import type { NormalizeContext } from './context.js';
import { completeModelTools } from './model-tool.js';

/** The session began; both ids are needed. */
export function normalizeSessionStart(payload: JsonRecord): AppEvent[] {
  const sessionId = readCleanText(payload.session_id);
  const assistantId = readCleanText(payload.assistant_id);
  if (sessionId === undefined || assistantId === undefined) return [];
  return [buildSessionStartPayload({ sessionId, assistantId })];
}

/** The turn ended without an answer. */
export function normalizeError(payload: JsonRecord): AppEvent[] {
  const error = readCleanText(payload.error) ?? 'Unknown error';
  return [composeError({ error, details: readFilledRecord(payload.details) })];
}

/** The turn ended: model tools that wait complete, then the answer follows, or why there is none. */
export function normalizeFinal(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const final = composeFinal({
    response: readLastResponse(payload),
    result: payload.result,
    tokenUsage: readFilledRecord(payload.token_usage),
  });
  return [...completeModelTools(payload, context), { ...final, ...readOutcome(payload) }];
}

/** The last response that says something. */
function readLastResponse(payload: JsonRecord): string {
  const responses = readList(payload.responses) ?? [];
  const last = responses.findLast((response) => readCleanText(response) !== undefined);
  return readCleanText(last) ?? readCleanText(payload.response) ?? '';
}

const unfinished: ReadonlyMap<string, string> = new Map([
  ['failed', 'failed'],
  ['error', 'failed'],
  ['cancelled', 'cancelled'],
  ['interrupted', 'interrupted'],
]);

/** How a turn without a proper end ended, as fields that an ordinary final does not have. */
function readOutcome(payload: JsonRecord) {
  const status = unfinished.get(readKey(payload.status) ?? '');
  if (status === undefined || status === 'interrupted') return status === undefined ? undefined : { status };
  const info = readRecord(payload.error_info);
  const message = readCleanText(payload.error) ?? readCleanText(info?.message) ?? 'Unknown error';
  const code = readCleanText(info?.code);
  const details: JsonRecord = { ...readRecord(info?.details) };
  return { status, error: message, error_info: { message, details, ...(code !== undefined && { code }) } };
}
