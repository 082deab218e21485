import {
  APP_EVENT_CONTRACT_VERSION,
  ERROR_EVENT_NAME,
  FINAL_EVENT_NAME,
  SESSION_START_EVENT_NAME,
} from '@svc/contracts';
import { withContext } from './compose.js';
import { keepExtras } from './keep-extras.js';
import {
  readCleanText,
  readFilledRecord,
  readList,
  readOwnOr,
  readRecord,
  readStreamText,
} from './read-field.js';
import type { JsonRecord } from './read-field.js';
import { snapshotOf } from './snapshot.js';

/** The fields of a `session_start` event. */
export interface SessionStartArguments {
  /** The id of the session. */
  sessionId: string;
  /** The id of the assistant that answers. */
  assistantId: string;
}

/** The fields of a `final` event. */
export interface FinalArguments {
  /** The answer, never trimmed. */
  response: string | null;
  /** The structured result of the run. @default null */
  result?: unknown;
  /** The tokens used by the run. @default null */
  tokenUsage?: Readonly<JsonRecord> | null | undefined;
}

/** The fields of an `error` event. */
export interface ErrorArguments {
  /** The error message. */
  error: string;
  /** Details for developers; never shown to `frontend_safe` readers. @default {} */
  details?: object | null | undefined;
}

/** The same fields with the answer under its other name. */
interface FinalText extends Omit<FinalArguments, 'response'> {
  /** The answer, never trimmed. */
  text: string;
}

/** The fields of a `final` event, or only the answer. */
export type FinalEmission = string | FinalArguments | FinalText;

/** The fields of an `error` event, or only the message. */
export type ErrorEmission = string | ErrorArguments;

/** Builds the payload of a `session_start`, with the session as its scope. */
export function buildSessionStartPayload({ sessionId, assistantId }: SessionStartArguments) {
  return withContext(
    {
      session_id: sessionId,
      assistant_id: assistantId,
      session: { id: sessionId, assistant_id: assistantId },
      contract_version: APP_EVENT_CONTRACT_VERSION,
      event_name: SESSION_START_EVENT_NAME,
      event_kind: 'session' as const,
    },
    { scope: { type: 'session', id: sessionId } },
  );
}

/** Builds the payload of a `final`: the turn ended with an answer. */
export function buildFinalPayload(event: FinalArguments) {
  return composeFinal({
    response: event.response,
    result: snapshotOf(event.result),
    tokenUsage: snapshotOf(event.tokenUsage),
  });
}

/** Builds the same payload without copying, for values that nobody else changes. */
export function composeFinal(event: FinalArguments) {
  const response = event.response ?? null;
  const result = event.result ?? null;
  const usage = event.tokenUsage ?? null;
  return {
    responses: typeof response === 'string' && response.trim() !== '' ? [response] : [],
    response,
    result,
    token_usage: usage,
    output: { response, result, token_usage: usage },
    contract_version: APP_EVENT_CONTRACT_VERSION,
    event_name: FINAL_EVENT_NAME,
    event_kind: 'final' as const,
  };
}

/** Builds the payload of a `final` whose answer is `response` or `text`. */
export function composeEmittedFinal({ text, ...event }: Partial<FinalArguments & FinalText>) {
  return composeFinal({ ...event, response: event.response ?? text ?? null });
}

/** Builds the payload of an `error`: the turn ended without an answer. */
export function buildErrorPayload(event: ErrorArguments) {
  return composeError({ error: event.error, details: snapshotOf(event.details) });
}

/** Builds the same payload without copying, for values that nobody else changes. */
export function composeError(event: ErrorArguments) {
  const details: JsonRecord = { ...readRecord(event.details) };
  return {
    error: event.error,
    details,
    error_info: { message: event.error, details },
    contract_version: APP_EVENT_CONTRACT_VERSION,
    event_name: ERROR_EVENT_NAME,
    event_kind: 'error' as const,
  };
}

/** Rebuilds an external `final`. */
export function rebuildFinal(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.output);
  const first = readList(input.responses)?.[0];
  const fallback = typeof first === 'string' ? first : '';
  const built = composeFinal({
    response:
      readStreamText(input.response) ?? (typeof nested?.response === 'string' ? nested.response : fallback),
    result: readOwnOr(input, 'result', nested),
    tokenUsage: readRecord(input.token_usage) ?? readRecord(nested?.token_usage),
  });
  return keepExtras(built, input);
}

/** Rebuilds an external `error`. */
export function rebuildError(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.error_info);
  const built = composeError({
    error: readCleanText(input.error) ?? readCleanText(nested?.message) ?? 'Unknown error',
    details: readFilledRecord(input.details) ?? readRecord(nested?.details),
  });
  return keepExtras(built, input);
}
