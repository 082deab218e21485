import { Connection } from './connection.js';
import type { EventStream, EventStreamOptions } from './event-stream.js';

/**
 * Reads a session's event stream: reconnects with full-jitter back-off, resumes after the last event, leaves repeats
 * out, waits for the next turn after `final` or `error`, and ends at `session_end` or status 204. Lost history comes as
 * a `stream_gap` event. The connection opens with the first pull.
 *
 * The iteration throws {@link StreamRefusedError} when the server will not serve the stream; it ends quietly when the
 * signal aborts.
 *
 * @throws TypeError when the address is not one, or holds a user or password.
 * @example
 * for await (const { type, data } of openEventStream({ url: '/svc/events/s1' })) console.log(type, data);
 */
export function openEventStream(options: EventStreamOptions): EventStream {
  const { location }: { location?: { href: string }; URL: unknown } = globalThis;
  const url = new URL(options.url, location?.href);
  // No fetch takes such an address, and what it throws repeats the password.
  if (url.username || url.password) throw new TypeError('url holds credentials; send headers');
  return new Connection({ ...options, url });
}
