import { StreamErrorPayloadSchema } from '@svc/contracts/orchestrator';

/** The content of an `error` event of the stream. */
export interface StreamError {
  readonly message: string;
  /** Contains `reason_code`, the orchestrator's own code, if there is one. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The content of an unreadable error event. */
export const UNKNOWN_ERROR: StreamError = { message: 'unknown error' };

/** Reads the message and the code of an `error` event. */
export function readStreamError(payload: unknown): StreamError {
  const parsed = StreamErrorPayloadSchema.safeParse(payload);
  if (!parsed.success) return UNKNOWN_ERROR;
  const { error: message, details } = parsed.data;
  const code = details?.['code'];
  return typeof code === 'string' && code !== '' ? { message, details: { reason_code: code } } : { message };
}
