import type { FinalPayload, TokenUsage } from '@svc/contracts/orchestrator';

/** The response of a run. */
export interface InvokeResponse<Result = unknown> {
  /** The last text of the answer; an empty string if there is none. */
  readonly response: string;
  /** Status and answer texts, in order. */
  readonly responses: readonly string[];
  /** The result of the final tool or the structured output. */
  readonly result: Result;
  /** `completed`; in the response of a `RunFailedError` it is `failed`, `cancelled` or `interrupted`. */
  readonly status: string;
  /** The orchestrator's id of the session. */
  readonly sessionId: string;
  /** The conversation of the session, if it belongs to one. */
  readonly threadId: string | undefined;
  /** The id under which the orchestrator streams the text of the answer. */
  readonly assistantId: string | undefined;
  /** The orchestrator's token counts of this session, by kind; absent if it did not count. */
  readonly tokenUsage: TokenUsage | undefined;
  /** Additional data from the orchestrator. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The reason why the run did not complete. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

/** The ids of a session, for a `final` without them. */
export interface SessionIds {
  readonly sessionId: string;
  readonly threadId: string | undefined;
  readonly assistantId: string | undefined;
}

/** Reads the response from a `final` event. */
export function readResponse(final: FinalPayload, ids: SessionIds): InvokeResponse {
  const responses = final.responses ?? [];
  const lastText = responses.findLast((text) => text.trim() !== '') ?? final.response ?? '';
  return Object.freeze({
    response: lastText,
    responses: Object.freeze([...responses]),
    result: final.result ?? null,
    status: final.status ?? (readError(final) ? 'failed' : 'completed'),
    sessionId: final.session_id ?? ids.sessionId,
    threadId: final.thread_id ?? ids.threadId,
    assistantId: final.assistant_id ?? ids.assistantId,
    tokenUsage: final.token_usage ?? undefined,
    metadata: final.metadata ?? {},
    error: readError(final),
  });
}

function readError(final: FinalPayload): InvokeResponse['error'] {
  if (final.error_info) return { code: final.error_info.code, message: final.error_info.message };
  if (final.error) return { code: 'RUN_FAILED', message: final.error };
  return undefined;
}

/** Creates the response of a run that ended before the orchestrator responded. */
export function createEmptyResponse(
  status: string,
  error: { code: string; message: string },
): InvokeResponse {
  return Object.freeze({
    response: '',
    responses: [],
    result: null,
    status,
    sessionId: '',
    threadId: undefined,
    assistantId: undefined,
    tokenUsage: undefined,
    metadata: {},
    error,
  });
}

/** Returns the response with changed texts and result, because the caller may see more than the orchestrator. */
export function mapResponse(response: InvokeResponse, change: (json: unknown) => unknown): InvokeResponse {
  const changeText = (text: string) => String(change(text));
  return Object.freeze({
    ...response,
    response: changeText(response.response),
    responses: Object.freeze(response.responses.map(changeText)),
    result: change(response.result),
  });
}
