import type { FastifyRequest } from 'fastify';

const maxLength = 256;
/** Also those above ASCII: ids are logged, and a terminal may act on them. */
const controlCharacter = /\p{Cc}/u;

/** Whether a client may send this id. */
export function isWellFormed(id: string): boolean {
  return id.length <= maxLength && !controlCharacter.test(id);
}

/**
 * Returns the cursor of a request: the `Last-Event-ID` header, else the query parameter `last_event_id`; undefined
 * without either. The header wins because a browser reconnects to its original URL.
 */
export function requestCursor({ headers, query }: FastifyRequest): string | undefined {
  const header = headers['last-event-id'];
  if (typeof header === 'string' && header.trim() !== '') return decodeHeader(header);
  const parameters: unknown = query;
  if (typeof parameters !== 'object' || parameters === null || !('last_event_id' in parameters))
    return undefined;
  const { last_event_id: value } = parameters;
  const cursor: unknown = Array.isArray(value) ? value[0] : value;
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

/** Browsers write ids into the header as UTF-8, and Node reads headers as Latin-1. */
function decodeHeader(header: string): string {
  return Buffer.from(header, 'latin1').toString('utf8');
}
