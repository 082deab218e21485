import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { RunFailedError } from './errors.js';
import type { InvokeResponse } from './invoke-response.js';
import type { StreamError } from './stream-error.js';

const CODES = {
  failed: 'RUN_FAILED',
  cancelled: 'RUN_CANCELLED',
  interrupted: 'RUN_INTERRUPTED',
} as const;

/**
 * Returns the response of a completed run and throws for any other, with the response attached. `streamError` comes from
 * an earlier `error` event and becomes the cause.
 */
export function judgeResponse(response: InvokeResponse, streamError?: StreamError): InvokeResponse {
  const { status } = response;
  const known = Object.entries(CODES).find(([bad]) => bad === status)?.[1];
  // Another version of the orchestrator may have other statuses for a failed run.
  const code = known ?? (status !== 'completed' && response.error ? CODES.failed : undefined);
  if (!code) return response;
  const reason = response.error?.message ?? 'no reason was given';
  throw new RunFailedError(`The run ended with status '${status}': ${reason}`, {
    code,
    response,
    cause:
      streamError &&
      new MaivnSDKError(streamError.message, { code: 'RUN_STREAM_ERROR', details: streamError.details }),
    details: {
      status,
      session_id: response.sessionId,
      ...(response.error && response.error.code !== code ? { reason_code: response.error.code } : {}),
    },
  });
}
