import type { AppEvent } from '@svc/contracts';
import { readCleanText, readFilledRecord, readKey, readList, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { buildSessionStartPayload, composeError, composeFinal } from '../payloads/turn.js';
import type { NormalizeContext } from './context.js';
import { completeModelTools } from './model-tool.js';

/** Normalizes the start of a session; both ids are required. */
export function normalizeSessionStart(payload: JsonRecord): AppEvent[] {
  const sessionId = readCleanText(payload.session_id);
  const assistantId = readCleanText(payload.assistant_id);
  if (sessionId === undefined || assistantId === undefined) return [];
  return [buildSessionStartPayload({ sessionId, assistantId })];
}

/** Normalizes an `error`: the turn ended without an answer. The code of its details, if any, becomes that of the error. */
export function normalizeError(payload: JsonRecord): AppEvent[] {
  const error = readCleanText(payload.error) ?? 'Unknown error';
  const details = readFilledRecord(payload.details);
  const event = composeError({ error, details });
  const code = readCleanText(readRecord(payload.error_info)?.code) ?? readCleanText(details?.code);
  // Users see no details, so the code stands beside them, as in a `final`.
  return [code === undefined ? event : { ...event, error_info: { ...event.error_info, code } }];
}

/** Normalizes a `final`: completes the pending model tools, then gives the answer or why there is none. */
export function normalizeFinal(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const final = composeFinal({
    response: readLastResponse(payload),
    result: payload.result,
    tokenUsage: readFilledRecord(payload.token_usage),
  });
  return [...completeModelTools(payload, context), { ...final, ...readOutcome(payload) }];
}

/** The last response that is not blank. */
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

/** The outcome of a turn that failed, was cancelled or interrupted, as extra fields of its final. */
function readOutcome(payload: JsonRecord) {
  const status = unfinished.get(readKey(payload.status) ?? '');
  if (status === undefined || status === 'interrupted') return status === undefined ? undefined : { status };
  const info = readRecord(payload.error_info);
  const message = readCleanText(payload.error) ?? readCleanText(info?.message) ?? 'Unknown error';
  const code = readCleanText(info?.code);
  const details: JsonRecord = { ...readRecord(info?.details) };
  return { status, error: message, error_info: { message, details, ...(code !== undefined && { code }) } };
}
