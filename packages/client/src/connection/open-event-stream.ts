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
 * @throws TypeError when the address is not one.
 * @example
 * for await (const { type, data } of openEventStream({ url: '/svc/events/s1' })) console.log(type, data);
 */
export function openEventStream(options: EventStreamOptions): EventStream {
  const { location }: { location?: { href: string }; URL: unknown } = globalThis;
  return new Connection({ ...options, url: new URL(options.url, location?.href) });
}
