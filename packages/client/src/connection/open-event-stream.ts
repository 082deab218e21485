import { Connection } from './connection.js';
import type { EventStream, EventStreamOptions } from './event-stream.js';
import { page } from '../page.js';

/**
 * Returns a session's event stream. It reconnects with full-jitter back-off, resumes after the last event, omits
 * repeated events, waits for the next turn after `final` or `error`, and ends at `session_end` or status 204. Lost
 * events are reported by a `stream_gap` event. The connection opens with the first pull.
 *
 * The iteration throws {@link StreamRefusedError} if the server refuses the stream; it ends without an error when the
 * signal aborts.
 *
 * @throws TypeError if `url` is missing or invalid, or contains a user or password.
 * @example
 * for await (const { type, data } of openEventStream({ url: '/svc/events/s1' })) console.log(type, data);
 */
export function openEventStream(options: EventStreamOptions): EventStream {
  const url = new URL(options.url, page.document?.baseURI ?? page.location?.href);
  // Without a `url`, as when the options are a string, `/undefined` would be requested. No fetch accepts credentials in
  // a URL, and its error repeats the password.
  if (!options.url || url.username || url.password)
    throw new TypeError('url must be a URL without credentials; send headers');
  return new Connection({ ...options, url });
}
