import type { EventStreamOptions } from './event-stream.js';
import { StreamRefusedError } from './stream-refused-error.js';

/**
 * Requests the stream after a cursor. The cursor is sent in the header `Last-Event-ID`, if a header can contain it, and
 * in the query parameter `last_event_id`, because not every proxy forwards the header.
 *
 * @throws the errors of `headers` and `fetch`.
 */
export async function requestStream(
  { url, headers, fetch: request }: EventStreamOptions,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const given = (typeof headers === 'function' ? await headers() : headers) ?? {};
  let sent;
  try {
    sent = new Headers(given);
  } catch {
    // The platform's error may repeat the value, such as a token.
    throw new TypeError('Invalid headers');
  }
  sent.set('accept', 'text/event-stream');
  const address = new URL(url);
  if (cursor) {
    address.searchParams.set('last_event_id', cursor);
    if (/^[!-~]+$/.test(cursor)) sent.set('last-event-id', cursor);
  }
  // On a redirect `fetch` sends nearly all headers to the new address, including keys.
  return (request ?? fetch)(address.href, {
    cache: 'no-store',
    redirect: headers ? 'manual' : undefined,
    signal,
    headers: sent,
  });
}

/**
 * Returns the body to read, or null if the response asks to retry later.
 *
 * @throws StreamRefusedError if a retry would be of no use.
 */
export function streamOf({ status, headers, body }: Response): ReadableStream<Uint8Array> | null {
  if (status > 499 || status === 408 || status === 429) return null;
  const contentType = headers.get('content-type') ?? '';
  if (status !== 200 || !/^text\/event-stream\s*(;|$)/i.test(contentType))
    throw new StreamRefusedError(status, contentType);
  return body;
}
