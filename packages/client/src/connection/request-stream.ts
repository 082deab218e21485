import type { EventStreamOptions } from './event-stream.js';
import { StreamRefusedError } from './stream-refused-error.js';

/**
 * Asks for the stream after a cursor. It goes as the header `Last-Event-ID`, if a header can carry it, and in the
 * address as `last_event_id`, because not every proxy lets the header through.
 *
 * @throws whatever `headers` or `fetch` throw.
 */
export async function requestStream(
  { url, headers, fetch: request }: EventStreamOptions,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const sent = new Headers((typeof headers === 'function' ? await headers() : headers) ?? {});
  sent.set('accept', 'text/event-stream');
  const address = new URL(url);
  if (cursor) {
    address.searchParams.set('last_event_id', cursor);
    if (/^[!-~]+$/.test(cursor)) sent.set('last-event-id', cursor);
  }
  // Of a caller's headers `fetch` takes all but a few to whichever address a redirect names, keys among them.
  return (request ?? fetch)(address.href, {
    cache: 'no-store',
    redirect: headers ? 'manual' : undefined,
    signal,
    headers: sent,
  });
}

/**
 * The body to read, or null when the answer says to come back later.
 *
 * @throws StreamRefusedError when asking again would be of no use.
 */
export function streamOf({ status, headers, body }: Response): ReadableStream<Uint8Array> | null {
  if (status > 499 || status === 408 || status === 429) return null;
  const contentType = headers.get('content-type') ?? '';
  if (status !== 200 || !/^text\/event-stream\s*(;|$)/i.test(contentType))
    throw new StreamRefusedError(status, contentType);
  return body;
}
