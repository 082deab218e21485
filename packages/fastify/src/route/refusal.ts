import type { FastifyReply } from 'fastify';

/** The reasons for which a request gets no stream. */
const refusals = {
  INVALID_SESSION_ID: [
    400,
    'The session id is blank, longer than 256 characters or contains control characters',
  ],
  INVALID_CURSOR: [400, 'The cursor is longer than 256 characters or contains control characters'],
  UNAUTHORIZED: [401, 'The caller is not authenticated; sign in first'],
  FORBIDDEN: [403, 'The caller is not allowed to read this session'],
  SESSION_NOT_FOUND: [404, 'There is no such session'],
  NOT_ACCEPTABLE: [406, 'This route sends text/event-stream, which the Accept header does not allow'],
  INTERNAL_ERROR: [500, 'The stream could not be opened'],
  DRAINING: [503, 'This server is shutting down; reconnect'],
  TOO_MANY_READERS: [503, 'This session has reached its limit of readers'],
  TOO_MANY_SESSIONS: [503, 'This server has reached its limit of sessions'],
  TOO_MANY_WAITING: [
    503,
    'This server has reached its limit of readers waiting for sessions that have not begun',
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** The stable name of a refusal. */
export type RefusalCode = keyof typeof refusals;

/** When to retry after a 503, in seconds. After a shutdown, another server can answer at once. */
const retryAfterSeconds = (code: RefusalCode): number => (code === 'DRAINING' ? 1 : 5);

/** Answers with the refusal as JSON. */
export function refuse(reply: FastifyReply, code: RefusalCode): FastifyReply {
  const [status, message] = refusals[code];
  if (status === 503) reply.header('retry-after', String(retryAfterSeconds(code)));
  return reply.code(status).header('cache-control', 'no-store').send({ code, message });
}
