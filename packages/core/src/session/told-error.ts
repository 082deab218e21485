import { StreamErrorPayloadSchema } from '@svc/contracts/orchestrator';

/** The content of an `error` event of the stream. */
export interface ToldError {
  readonly message: string;
  /** Contains `reason_code`, the orchestrator's own code, if there is one. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The content of an unreadable error event. */
export const UNTOLD: ToldError = { message: 'unknown error' };

/** Reads the message and the code of an `error` event. */
export function readToldError(payload: unknown): ToldError {
  const parsed = StreamErrorPayloadSchema.safeParse(payload);
  if (!parsed.success) return UNTOLD;
  const { error: message, details } = parsed.data;
  const code = details?.['code'];
  return typeof code === 'string' && code !== '' ? { message, details: { reason_code: code } } : { message };
}
