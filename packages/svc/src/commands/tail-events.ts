import { openEventStream, StreamRefusedError, type EventStream } from '@svc/client';
import type { Terminal } from '../terminal.js';
import { whyUnanswered } from '../why-unanswered.js';
import { parseHeaders, parseTarget } from './parse-target.js';

/** `fetch` that reports why there is no connection, once per outage, unless `end` is why. */
function tellingFetch(tell: (text: string) => void, end: AbortSignal): typeof fetch {
  let isTold = false;
  const tellOnce = (why: string) => {
    if (!isTold) tell(`No connection (${why}); retrying.`);
    isTold = true;
  };
  return async (url, init) => {
    try {
      const response = await fetch(url, init);
      if (response.ok) isTold = false;
      // Other refusals are final and end the command with their own error.
      else if (response.status >= 500 || [408, 429].includes(response.status))
        tellOnce(`status ${response.status}`);
      return response;
    } catch (error) {
      // The stream itself gives up a connection that stays silent.
      if (!end.aborted) tellOnce(init?.signal?.aborted ? 'no answer' : whyUnanswered(error));
      throw error;
    }
  };
}

/** Reports frames that contain no event; otherwise a stream of another kind would look like a quiet one. */
function tellOfMalformed(stream: EventStream, tell: (text: string) => void): void {
  let told = 0;
  stream.onStatusChange(() => {
    const count = stream.malformedFrames - told;
    told += count;
    if (count > 0)
      tell(
        `${count} ${count === 1 ? 'frame contains' : 'frames contain'} no event. Pass the URL of an event route, such as .../svc/events/<session>.`,
      );
  });
}

function mendOf({ statusCode }: StreamRefusedError): string {
  if (statusCode === 401 || statusCode === 403)
    return "Pass the credentials that the route requires: --header 'name: value'.";
  if (statusCode >= 300 && statusCode < 400) return 'Pass the final URL.';
  return 'Pass the URL of an event route, such as .../svc/events/<session>.';
}

/** An error that says what to change. */
const withMend = (error: unknown): unknown =>
  error instanceof StreamRefusedError
    ? new Error(`${error.message.trim()}. ${mendOf(error)}`, { cause: error })
    : error;

/** Prints a session's events as they arrive, one JSON envelope per line, until the session ends. */
export async function tailEvents(
  address: string,
  flags: { header?: string[] | undefined; lastEventId?: string | undefined },
  { out, error: tell, signal }: Terminal,
): Promise<void> {
  const stream = openEventStream({
    url: parseTarget(address),
    lastEventId: flags.lastEventId,
    headers: flags.header && parseHeaders(flags.header),
    fetch: tellingFetch(tell, signal),
    signal,
  });
  tellOfMalformed(stream, tell);
  try {
    for await (const envelope of stream) out(JSON.stringify(envelope));
  } catch (error) {
    throw withMend(error);
  }
}
