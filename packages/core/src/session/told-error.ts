import { StreamErrorPayloadSchema } from '@svc/contracts/orchestrator';

/** What an `error` event of the stream said. */
export interface ToldError {
  readonly message: string;
  /** `reason_code`: the orchestrator's own code, if it gave one. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** An error of which nothing can be read. */
export const UNTOLD: ToldError = { message: 'unknown error' };

/** The text and the code of an `error` event. */
export function readToldError(payload: unknown): ToldError {
  const parsed = StreamErrorPayloadSchema.safeParse(payload);
  if (!parsed.success) return UNTOLD;
  const { error: message, details } = parsed.data;
  const code = details?.['code'];
  return typeof code === 'string' && code !== '' ? { message, details: { reason_code: code } } : { message };
}
