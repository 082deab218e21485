import type { FinalPayload, TokenUsage } from '@svc/contracts/orchestrator';

/** What a run came to. */
export interface InvokeResponse<Result = unknown> {
  /** The last text of the answer; empty if there is none. */
  readonly response: string;
  /** Status and answer texts in order. */
  readonly responses: readonly string[];
  /** What the final tool, or the structured output, came to. */
  readonly result: Result;
  /** `completed`; of a run that rejected, the response in its error has `failed`, `cancelled` or `interrupted`. */
  readonly status: string;
  /** The orchestrator's id of the session. */
  readonly sessionId: string;
  /** The conversation that it belongs to, if it belongs to one. */
  readonly threadId: string | undefined;
  /** What the orchestrator shows its text under. */
  readonly assistantId: string | undefined;
  /** Token counts by kind, as the orchestrator counted them for this session; absent if it did not. */
  readonly tokenUsage: TokenUsage | undefined;
  /** What the orchestrator says besides. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Why the run ended badly. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

/** The ids a run is known by, for a `final` that leaves them out. */
export interface SessionIds {
  readonly sessionId: string;
  readonly threadId: string | undefined;
  readonly assistantId: string | undefined;
}

/** Reads the response out of a `final` event. */
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

/** The response of a run that ended before the orchestrator said anything. */
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

/** The response with other texts and results, for a caller who may see more than the orchestrator may. */
export function mapResponse(response: InvokeResponse, change: (json: unknown) => unknown): InvokeResponse {
  const changeText = (text: string) => String(change(text));
  return Object.freeze({
    ...response,
    response: changeText(response.response),
    responses: Object.freeze(response.responses.map(changeText)),
    result: change(response.result),
  });
}
