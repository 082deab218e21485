import { openEventStream } from '@svc/client';
import type { Terminal } from '../terminal.js';
import { parseHeaders, parseTarget } from './parse-target.js';

/** Prints a session's events as they come, one JSON envelope a line, until the session ends. */
export async function tailEvents(
  address: string,
  flags: { header?: string[] | undefined; lastEventId?: string | undefined },
  { out, signal }: Terminal,
): Promise<void> {
  const headers = parseHeaders(flags.header);
  const stream = openEventStream({
    url: parseTarget(address),
    lastEventId: flags.lastEventId,
    headers,
    signal,
  });
  for await (const envelope of stream) out(JSON.stringify(envelope));
}
