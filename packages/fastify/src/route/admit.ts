import type { FastifyRequest } from 'fastify';
import type { MountSettings } from '../mount-options.js';
import { logFailure } from './is-aborted.js';
import type { RefusalCode } from './refusal.js';

/** Returns why this caller may not read the session, or undefined if it may. */
export async function admit(
  request: FastifyRequest,
  sessionId: string,
  { authorize }: MountSettings,
): Promise<RefusalCode | undefined> {
  if (authorize === undefined) return undefined;
  try {
    return (await authorize(request, sessionId)) === true ? undefined : 'FORBIDDEN';
  } catch (error) {
    const status = statusOf(error);
    if (status === 401) return 'UNAUTHORIZED';
    if (status === 403) return 'FORBIDDEN';
    logFailure(request, error, 'authorize failed');
    return 'INTERNAL_ERROR';
  }
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
}
