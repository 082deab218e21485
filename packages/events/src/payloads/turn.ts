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

/** What a `session_start` says. */
export interface SessionStartArguments {
  /** Id of the session. */
  sessionId: string;
  /** Id of the assistant that answers. */
  assistantId: string;
}

/** What a `final` says. */
export interface FinalArguments {
  /** The answer, never trimmed. */
  response: string | null;
  /** Structured result of the run. @default null */
  result?: unknown;
  /** Tokens the run used. @default null */
  tokenUsage?: Readonly<JsonRecord> | null | undefined;
}

/** What an `error` says. */
export interface ErrorArguments {
  /** The message. */
  error: string;
  /** Facts for developers; never shown to `frontend_safe` readers. @default {} */
  details?: object | null | undefined;
}

/** What a `final` says; the answer's text alone is enough. */
export type FinalEmission = string | FinalArguments;

/** What an `error` says; the message alone is enough. */
export type ErrorEmission = string | ErrorArguments;

/** Builds the payload of a `session_start`. Its scope is the session. */
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
export function buildFinalPayload(from: FinalArguments) {
  return composeFinal({
    response: from.response,
    result: snapshotOf(from.result),
    tokenUsage: snapshotOf(from.tokenUsage),
  });
}

/** The same without a snapshot, for values that nobody else changes. */
export function composeFinal(from: FinalArguments) {
  const response = from.response ?? null;
  const result = from.result ?? null;
  const usage = from.tokenUsage ?? null;
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

/** Builds the payload of an `error`: the turn ended without an answer. */
export function buildErrorPayload(from: ErrorArguments) {
  return composeError({ error: from.error, details: snapshotOf(from.details) });
}

/** The same without a snapshot, for values that nobody else changes. */
export function composeError(from: ErrorArguments) {
  const details: JsonRecord = { ...readRecord(from.details) };
  return {
    error: from.error,
    details,
    error_info: { message: from.error, details },
    contract_version: APP_EVENT_CONTRACT_VERSION,
    event_name: ERROR_EVENT_NAME,
    event_kind: 'error' as const,
  };
}

/** Rebuilds a `final` somebody else made. */
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

/** Rebuilds an `error` somebody else made. */
export function rebuildError(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.error_info);
  const built = composeError({
    error: readCleanText(input.error) ?? readCleanText(nested?.message) ?? 'Unknown error',
    details: readFilledRecord(input.details) ?? readRecord(nested?.details),
  });
  return keepExtras(built, input);
}
