import { openEventStream, StreamRefusedError, type EventStream } from '@svc/client';
import type { Terminal } from '../terminal.js';
import { explainNoAnswer } from '../explain-no-answer.js';
import { parseHeaders, parseTarget } from './parse-target.js';

/** `fetch` that reports why there is no connection, once per outage, unless `end` aborted it. */
function reportingFetch(report: (text: string) => void, end: AbortSignal): typeof fetch {
  let isReported = false;
  const reportOnce = (reason: string) => {
    if (!isReported) report(`No connection (${reason}); retrying.`);
    isReported = true;
  };
  return async (url, init) => {
    try {
      const response = await fetch(url, init);
      if (response.ok) isReported = false;
      // Other refusals are final and end the command with their own error.
      else if (response.status >= 500 || [408, 429].includes(response.status))
        reportOnce(`status ${response.status}`);
      return response;
    } catch (error) {
      // The stream itself gives up a connection that stays silent.
      if (!end.aborted) reportOnce(init?.signal?.aborted ? 'no answer' : explainNoAnswer(error));
      throw error;
    }
  };
}

const malformedEveryMs = 1000;

/**
 * Reports frames that contain no event; otherwise a stream of another kind would look like a quiet one. The first are
 * reported soon, because a connection that stays open does not change its status. Returns a function that stops that.
 */
function reportMalformedFrames(stream: EventStream, report: (text: string) => void): () => void {
  let reported = 0;
  const reportNew = () => {
    const count = stream.malformedFrames - reported;
    reported += count;
    if (count > 0)
      report(
        `${count} ${count === 1 ? 'frame contains' : 'frames contain'} no event. Pass the URL of an event route, such as .../svc/events/<session>.`,
      );
  };
  stream.onStatusChange(reportNew);
  const timer = setInterval(() => reported === 0 && reportNew(), malformedEveryMs);
  return () => clearInterval(timer);
}

function describeFix({ statusCode }: StreamRefusedError): string {
  if (statusCode === 401 || statusCode === 403)
    return "Pass the credentials that the route requires: --header 'name: value'.";
  if (statusCode >= 300 && statusCode < 400) return 'Pass the final URL.';
  return 'Pass the URL of an event route, such as .../svc/events/<session>.';
}

/** An error that says what to change. */
const withFix = (error: unknown): unknown =>
  error instanceof StreamRefusedError
    ? new Error(`${error.message.trim()}. ${describeFix(error)}`, { cause: error })
    : error;

/** Prints a session's events as they arrive, one JSON envelope per line, until the session ends. */
export async function tailEvents(
  address: string,
  flags: { header?: string[] | undefined; lastEventId?: string | undefined },
  { out, error: report, signal }: Terminal,
): Promise<void> {
  const stream = openEventStream({
    url: parseTarget(address),
    lastEventId: flags.lastEventId,
    headers: flags.header && parseHeaders(flags.header),
    fetch: reportingFetch(report, signal),
    signal,
  });
  const stopReports = reportMalformedFrames(stream, report);
  try {
    for await (const envelope of stream) out(JSON.stringify(envelope));
  } catch (error) {
    throw withFix(error);
  } finally {
    stopReports();
  }
}
