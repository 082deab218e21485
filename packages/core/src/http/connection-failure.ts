import { isSdkError } from '@svc/contracts/sdk-error';
import { DEFAULT_BASE_URL } from '../config/client-config.js';
import { messageOf } from '../message-of.js';
import { ConnectionError } from './errors.js';

/** The codes with which Node refuses a server's certificate, such as `CERT_HAS_EXPIRED`. */
const certificateRefusals = /^(CERT_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_|ERR_TLS_CERT_)/;

/** Turns an error of the HTTP library into an SDK error; SDK errors and aborts are returned unchanged. */
export function explainConnectionFailure(error: unknown, origin?: string): unknown {
  if (isSdkError(error) || isAbort(error)) return error;
  const reason = failureCode(error);
  const where = origin === undefined ? 'The orchestrator' : `The orchestrator at ${origin}`;
  if (reason === 'ECONNREFUSED') {
    const advice =
      origin === DEFAULT_BASE_URL
        ? 'Start one with `svc orchestrator`, or set baseUrl or SVC_BASE_URL.'
        : 'Check baseUrl, and that the orchestrator is running.';
    return new ConnectionError(`${where} refused the connection. ${advice}`, {
      code: 'HTTP_CONNECTION_REFUSED',
      cause: error,
      isTransient: true,
    });
  }
  if (reason === 'UND_ERR_DESTROYED' || reason === 'UND_ERR_CLOSED') {
    const target = origin === undefined ? '' : ` of ${origin}`;
    return new ConnectionError(`The client${target} is closed. Create a new one.`, {
      code: 'HTTP_CLIENT_CLOSED',
      cause: error,
      isTransient: false,
    });
  }
  if (reason === 'UND_ERR_INVALID_ARG') {
    return new ConnectionError(`The request cannot be sent: ${messageOf(error)}.`, {
      code: 'HTTP_CONNECTION_FAILED',
      details: { reason },
      cause: error,
      isTransient: false,
    });
  }
  const problem = certificateRefusals.test(reason)
    ? `has a certificate that was refused (${reason}). Check the host name in baseUrl and the dates of the certificate; if your own authority signed it, pass that to Node with NODE_EXTRA_CA_CERTS.`
    : `did not answer (${reason}).`;
  return new ConnectionError(`${where} ${problem}`, {
    code: 'HTTP_CONNECTION_FAILED',
    details: { reason },
    // The parser's error contains what it could not read, perhaps the request itself, with the API key.
    cause: error instanceof Error && error.name === 'HTTPParserError' ? undefined : error,
    isTransient: true,
  });
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function failureCode(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string')
    return error.code;
  return error instanceof Error ? error.name : 'unknown failure';
}
