import type { EventStream, EventStreamOptions } from '../connection/event-stream.js';
import { openEventStream } from '../connection/open-event-stream.js';
import { page } from '../page.js';
import { SharedStream } from './shared-stream.js';
import type { SharedStreamOptions } from './shared-stream-options.js';

/**
 * Returns the same stream as `openEventStream`, with one connection for all tabs of this browser that read the same URL
 * as the same user: one tab reads and forwards the events; when it closes, the next one continues from its own cursor.
 * Where tabs cannot share, and when the reading tab falls silent, each tab opens its own connection.
 *
 * @throws TypeError if `url` is missing, invalid or contains a user or password, if `identity` is not a non-blank
 * string, or if `headers` or `fetch` is passed: one tab's credentials must not serve another.
 */
export function openSharedEventStream(options: SharedStreamOptions): EventStream {
  const { headers, fetch }: Partial<EventStreamOptions> = options;
  if (headers ?? fetch) {
    throw new TypeError(
      'openSharedEventStream does not support headers or fetch, which other tabs may not have; use openEventStream',
    );
  }
  const { identity } = options;
  if (typeof identity !== 'string')
    throw new TypeError(`identity must be a non-blank string, got ${typeof identity}`);
  if (!identity.trim())
    throw new TypeError(`identity must be a non-blank string, got ${JSON.stringify(identity)}`);
  // It rejects an invalid URL, and does not read yet. The channel of the tabs is named after the URL.
  const alone = openEventStream(options);
  const url = new URL(options.url, page.document?.baseURI ?? page.location?.href);
  const canShare = page.navigator?.locks && typeof BroadcastChannel === 'function';
  return canShare ? new SharedStream({ ...options, url }) : alone;
}
