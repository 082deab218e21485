import type { FastifyRequest } from 'fastify';

/**
 * Whether `request.signal` has fired: the app's `handlerTimeout` answers, or the caller has left and somebody listened.
 * Older apps have no signal.
 */
export function isAborted({ signal }: { signal?: AbortSignal }): boolean {
  return signal?.aborted === true;
}

/**
 * Logs why a request cannot be served. It is no error of the app if nobody waits for the answer: what had been given
 * `request.signal` was stopped by it.
 */
export function logFailure(request: FastifyRequest, error: unknown, message: string): void {
  request.log[isAborted(request) ? 'info' : 'error']({ err: error }, message);
}
