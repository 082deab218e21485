import { encodeFrame } from '@svc/contracts/sse';
import { splitFrames } from '../log/decode-frames.js';
import { timestampNow } from '../pipeline/timestamp.js';
import type { EventReader } from './event-reader.js';
import { asBuffer } from './frame-bytes.js';

/** What a stream of frames needs. */
export interface SseStreamOptions {
  /** Attaches the reader, on the first pull. */
  readonly open: (signal: AbortSignal) => Promise<EventReader>;
  /** The idle time after which a keep-alive is sent. */
  readonly heartbeatIntervalMs: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** The frame that keeps an idle connection open; readers ignore it. */
export function keepAliveFrame(): string {
  return encodeFrame({ comment: `keepalive ${timestampNow()}` });
}

/**
 * A reader's frames one by one, with keep-alives while nothing comes. Leaving it detaches the reader at once, also
 * while a pull is waiting.
 */
export function sseStream(options: SseStreamOptions): AsyncGenerator<string, void, undefined> {
  const leaving = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, leaving.signal]) : leaving.signal;
  const frames = generateFrames(options, signal);
  return {
    next: () => frames.next(),
    return: () => {
      leaving.abort();
      return frames.return();
    },
    throw: (error: unknown) => {
      leaving.abort();
      return frames.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return();
    },
  };
}

async function* generateFrames(
  { open, heartbeatIntervalMs }: SseStreamOptions,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const idleMs = heartbeatIntervalMs();
  if (signal.aborted) return;
  const reader = await open(signal);
  try {
    for (;;) {
      const bytes = reader.read();
      if (bytes !== undefined) yield* splitFrames(asBuffer(bytes).toString());
      else if (reader.isEnded) break;
      else if (!(await hasNews(reader, idleMs, signal))) yield keepAliveFrame();
    }
    if (reader.failure !== undefined) throw reader.failure;
  } finally {
    reader.close();
  }
}

/** Waits for the reader; false when the time is over first. */
async function hasNews(reader: EventReader, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  const waiting = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    waiting.abort();
  }, timeoutMs);
  await reader.readable(AbortSignal.any([signal, waiting.signal]));
  clearTimeout(timer);
  return !isOver;
}
