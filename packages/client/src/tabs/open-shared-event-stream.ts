import type { EventStream, EventStreamOptions } from '../connection/event-stream.js';
import { openEventStream } from '../connection/open-event-stream.js';
import { SharedStream } from './shared-stream.js';
import type { SharedStreamOptions } from './shared-stream-options.js';

/**
 * The same as `openEventStream`, with one connection for all tabs of this browser that read the same address as the
 * same user: one tab reads and passes events on; when it goes, the next one goes on from its own cursor. Where a browser
 * cannot do that, and when the reading tab falls silent, each tab has a connection of its own.
 *
 * @throws TypeError when the address is not one, or holds a user or password, when `identity` is blank or no text, and
 * when custom headers or a fetch are given: what one tab may see, another might not.
 */
export function openSharedEventStream(options: SharedStreamOptions): EventStream {
  const { headers, fetch }: Partial<EventStreamOptions> = options;
  if (headers ?? fetch) {
    throw new TypeError(
      'A shared stream takes no headers and no fetch, which other tabs do not have; use openEventStream',
    );
  }
  if (typeof options.identity !== 'string' || !options.identity.trim())
    throw new TypeError('identity must be a text that says who reads, so that only their own tabs share');
  const { navigator, location }: { navigator?: { locks?: unknown }; location?: { href: string } } =
    globalThis;
  // It reads nothing yet, but refuses an address that none can read; the tabs' meeting place is named after it.
  const alone = openEventStream(options);
  const url = new URL(options.url, location?.href);
  const canShare = navigator?.locks && typeof BroadcastChannel === 'function';
  return canShare ? new SharedStream({ ...options, url }) : alone;
}
