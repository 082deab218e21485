import type { FastifyReply } from 'fastify';

/** Why a request gets no stream. */
const refusals = {
  INVALID_SESSION_ID: [
    400,
    'The session id is blank, longer than 256 characters or holds control characters',
  ],
  INVALID_CURSOR: [400, 'The cursor is longer than 256 characters or holds control characters'],
  UNAUTHORIZED: [401, 'Who reads is not known; sign in first'],
  FORBIDDEN: [403, 'This session may not be read by this caller'],
  SESSION_NOT_FOUND: [404, 'There is no such session'],
  NOT_ACCEPTABLE: [406, 'This route answers with text/event-stream, which the Accept header refuses'],
  INTERNAL_ERROR: [500, 'The stream could not be opened'],
  DRAINING: [503, 'This server is shutting down; another one takes over'],
  TOO_MANY_READERS: [503, 'This session has as many readers as it may have'],
  TOO_MANY_SESSIONS: [503, 'This server serves as many sessions as it may serve'],
  TOO_MANY_WAITING: [503, 'As many readers as there may be wait for sessions that have not begun'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** The stable name of a refusal. */
export type RefusalCode = keyof typeof refusals;

/** When to try again after a 503, in seconds. A shutdown makes room elsewhere at once. */
const retryAfterSeconds = (code: RefusalCode): number => (code === 'DRAINING' ? 1 : 5);

/** Answers with the refusal as JSON. */
export function refuse(reply: FastifyReply, code: RefusalCode): FastifyReply {
  const [status, message] = refusals[code];
  if (status === 503) reply.header('retry-after', String(retryAfterSeconds(code)));
  return reply.code(status).header('cache-control', 'no-store').send({ code, message });
}
