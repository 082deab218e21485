import { createParser } from 'eventsource-parser';
import { UsageError } from '../terminal.js';
import { explainNoAnswer } from '../explain-no-answer.js';

/** One frame as it arrived. Frames with the same `chunk` arrived in one piece. */
export interface ObservedFrame {
  kind: 'comment' | 'event';
  /** Milliseconds since the request was sent. */
  atMs: number;
  chunk: number;
  /** The text of a comment. */
  comment?: string | undefined;
  id?: string | undefined;
  event?: string | undefined;
  /** The event's own timestamp, in milliseconds since 1970. */
  madeAtMs?: number | undefined;
}

/** What was observed on one connection. */
export interface Observation {
  status: number;
  headers: Headers;
  /** Milliseconds until the response headers arrived. */
  headersAtMs: number;
  frames: ObservedFrame[];
  /** When the server or a proxy ended the response; absent if the doctor did. */
  endedAtMs?: number | undefined;
}

/** What to observe, and for how long. */
export interface Look {
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** How long to watch at most, in milliseconds. */
  lookMs: number;
  signal: AbortSignal;
}

/** Whether enough was seen to stop early. */
type Enough = (frames: readonly ObservedFrame[]) => boolean;

/** The largest frame to read, in characters: that of the client, which the doctor speaks for. */
const maxBufferSize = 2 ** 24;

function madeAt(data: string): number | undefined {
  try {
    const { timestamp }: { timestamp?: unknown } = JSON.parse(data);
    return (typeof timestamp === 'string' && Date.parse(timestamp)) || undefined;
  } catch {
    // A frame that is not an object has no timestamp to compare; only its arrival counts.
    return undefined;
  }
}

async function readFrames(
  body: ReadableStream<Uint8Array>,
  observation: Observation,
  { sinceMs, enough }: { sinceMs: number; enough: Enough | undefined },
) {
  const { frames } = observation;
  let chunk = 0;
  const arrived = () => ({ atMs: performance.now() - sinceMs, chunk });
  const parser = createParser({
    maxBufferSize,
    onComment: (comment) => frames.push({ kind: 'comment', comment, ...arrived() }),
    onEvent: ({ id, event, data }) =>
      frames.push({ kind: 'event', id, event, madeAtMs: madeAt(data), ...arrived() }),
  });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    chunk += 1;
    if (enough?.(frames)) return;
  }
  observation.endedAtMs = performance.now() - sinceMs;
}

/** Opens the stream once, records what arrives and when, and closes it. Rejects if there is no response at all. */
export async function observe({ url, headers, lookMs, signal }: Look, enough?: Enough): Promise<Observation> {
  // It accepts only whole milliseconds.
  const end = AbortSignal.timeout(Math.ceil(lookMs));
  const sinceMs = performance.now();
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: AbortSignal.any([signal, end]),
    redirect: 'manual',
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    const why = end.aborted
      ? ` in ${lookMs / 1000} s. A proxy may be buffering it: turn response buffering off for this path. Or the application, or the store behind it, does not answer: see its logs`
      : `: ${explainNoAnswer(error)}. Check the URL, its server and its certificate`;
    throw new UsageError(`No answer from ${url.origin}${why}.`);
  });
  const observation: Observation = {
    status: response.status,
    headers: response.headers,
    headersAtMs: performance.now() - sinceMs,
    frames: [],
  };
  if (response.body) {
    await readFrames(response.body, observation, { sinceMs, enough }).catch(() => {
      signal.throwIfAborted();
      // The doctor ending the connection itself is not a finding; a broken connection is.
      if (!end.aborted) observation.endedAtMs = performance.now() - sinceMs;
    });
  }
  return observation;
}
