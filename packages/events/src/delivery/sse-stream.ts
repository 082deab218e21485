import { encodeFrame } from '@svc/contracts/sse';
import { splitFrames } from '../log/decode-frames.js';
import { timestampNow } from '../pipeline/timestamp.js';
import type { EventReader } from './event-reader.js';
import { firstAbort } from './first-abort.js';
import { asBuffer } from './frame-bytes.js';

/** The options of a stream of frames. */
export interface SseStreamOptions {
  /** Attaches the reader, which the signal closes, on the first pull. */
  readonly open: (signal: AbortSignal) => Promise<EventReader>;
  /** The idle time after which a keep-alive is sent. */
  readonly heartbeatIntervalMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The frame that keeps an idle connection open; readers ignore it. */
export function keepAliveFrame(): string {
  return encodeFrame({ comment: `keepalive ${timestampNow()}` });
}

/**
 * Yields a reader's frames one by one, with keep-alives while it is idle. The options are read on the first pull. Leaving
 * the generator detaches the reader at once, even while a pull is waiting.
 */
export function sseStream(options: () => SseStreamOptions): AsyncGenerator<string, void, undefined> {
  const leaving = new AbortController();
  const frames = generateFrames(options, leaving.signal);
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
  options: () => SseStreamOptions,
  leaving: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { open, heartbeatIntervalMs, signal: given } = options();
  const { signal, detach } = firstAbort([given, leaving]);
  try {
    if (signal.aborted) return;
    const reader = await open(signal);
    for (;;) {
      const bytes = await readWithin(heartbeatIntervalMs, reader);
      if (bytes === undefined && reader.isEnded) break;
      const frames = bytes === undefined ? [keepAliveFrame()] : splitFrames(asBuffer(bytes).toString());
      for (const frame of frames) {
        if (signal.aborted) return;
        yield frame;
      }
    }
    if (reader.failure !== undefined) throw reader.failure;
  } finally {
    detach();
  }
}

/**
 * Returns a reader's next bytes; undefined if it has ended or nothing arrived in time: a new entry may have no frame for
 * this reader, or not yet.
 */
export async function readWithin(timeoutMs: number, reader: EventReader): Promise<Uint8Array | undefined> {
  let bytes = reader.read();
  if (bytes !== undefined) return bytes;
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), timeoutMs);
  while (bytes === undefined && !reader.isEnded && !waiting.signal.aborted) {
    await reader.readable(waiting.signal);
    bytes = reader.read();
  }
  clearTimeout(timer);
  return bytes;
}
