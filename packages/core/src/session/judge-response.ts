import { RunFailedError } from './errors.js';
import type { InvokeResponse } from './invoke-response.js';

const CODES = {
  failed: 'RUN_FAILED',
  cancelled: 'RUN_CANCELLED',
  interrupted: 'RUN_INTERRUPTED',
} as const;

/** The response of a run that ended well; any other end is thrown with the response attached. */
export function judgeResponse(response: InvokeResponse): InvokeResponse {
  const bad = Object.entries(CODES).find(([status]) => status === response.status);
  if (!bad) return response;
  const [status, code] = bad;
  const said = response.error?.message ?? 'no reason was given';
  throw new RunFailedError(`The run ended ${status}: ${said}`, {
    code,
    response,
    details: {
      status,
      session_id: response.sessionId,
      ...(response.error && response.error.code !== code ? { reason_code: response.error.code } : {}),
    },
  });
}
