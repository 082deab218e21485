import type { ServerResponse } from 'node:http';
import { constants, Http2ServerResponse } from 'node:http2';
import type { EventReader } from '@svc/events';
import type { ChunkFramer } from './chunk-framer.js';
import type { FlushQueue } from './flush-queue.js';
import type { Heartbeats } from './heartbeats.js';
import { createSink, type StreamSink } from './stream-sink.js';

/** Tells our client that a replay follows, to be shown as one change. Every other reader ignores it. */
const replayComment = Buffer.from(': replay\n\n');
/** Tells our client that new events follow. */
const liveComment = Buffer.from(': live\n\n');

/** The least that is written at once, in bytes, even if the connection's own buffer is larger than the limit. */
const smallestPart = 16 * 1024;

/** The time limit for sending the end of a response, in milliseconds. */
const endTimeoutMs = 10_000;

/** The parts that all writers of a mount share. */
export interface StreamContext {
  readonly framer: ChunkFramer;
  readonly flushes: FlushQueue;
  readonly heartbeats: Heartbeats;
  /** The maximum number of bytes waiting to be sent on one connection. */
  readonly waitingBytes: number;
  /** Called once when a connection is lost or has ended. */
  onEnd(writer: StreamWriter): void;
}

/** The connection of a writer. */
export interface StreamConnection {
  readonly sessionId: string;
  /** The response. Its head has been written, and is sent by the writer. */
  readonly response: ServerResponse;
  /** The log that receives the reason if the stream fails. */
  readonly log: { error(detail: { err: unknown }, message: string): void };
}

/**
 * Writes one reader's frames to one connection, no faster than the connection takes them. A slow connection costs a
 * position in the log and a bounded number of bytes. Nothing here waits: it acts when the reader has new frames, the
 * connection drains, a heartbeat is due, or it is ended, so no promise can stay pending. There may be thousands of
 * writers, so each uses little memory.
 */
export class StreamWriter {
  readonly #context: StreamContext;
  readonly #connection: StreamConnection;
  readonly #sink: StreamSink;
  readonly #heartbeatGroup: number;
  #reader: EventReader | undefined;
  /** The unwritten part of the bytes that were read last; if there is one, the connection is full. */
  #rest: Uint8Array | undefined;
  #isReplaying = false;
  #isFull = false;
  #isEnded = false;
  #onEnded: (() => void) | undefined;

  constructor(context: StreamContext, connection: StreamConnection) {
    this.#context = context;
    this.#connection = connection;
    const { response } = connection;
    this.#sink = createSink(response, context.framer);
    this.#heartbeatGroup = context.heartbeats.add(this);
    response.on('close', () => this.#finish());
    response.on('error', ignore);
  }

  get sessionId(): string {
    return this.#connection.sessionId;
  }

  /** Calls one listener at the end. */
  onceEnded(listener: () => void): void {
    this.#onEnded = listener;
  }

  /** Writes the frames of this reader from now on. */
  attach(reader: EventReader): void {
    if (this.#isEnded) {
      reader.close();
      return;
    }
    this.#reader = reader;
    reader.onReadable(() => this.#context.flushes.add(this));
    try {
      this.#rest = reader.read();
    } catch (error) {
      this.fail(error);
      return;
    }
    this.#isReplaying = this.#rest !== undefined || !reader.isCaughtUp;
    this.#write(this.#isReplaying ? replayComment : liveComment);
    this.#sink.send();
    this.flush();
  }

  /** Writes a first comment, so that headers and a first byte are sent even if there are no events yet. */
  greet(): void {
    this.#write(liveComment);
  }

  /** Writes the frames that are ready, as far as the connection takes them. */
  flush(): void {
    if (this.#reader === undefined) return;
    try {
      this.#pump(this.#reader);
    } catch (error) {
      this.fail(error);
    }
  }

  beat(frame: Uint8Array): void {
    // A full connection is not idle.
    if (!this.#isFull) this.#write(frame);
  }

  /**
   * Ends the stream at its current position; the reader reconnects with its cursor. With `retryMs` it does so after
   * that time, and over another connection.
   */
  end({ retryMs }: { retryMs?: number } = {}): void {
    if (this.#isEnded) return;
    const { response } = this.#connection;
    // First, because a stream that was cut has no connection any more.
    if (retryMs !== undefined) leaveConnection(response);
    if (this.#isFull) {
      // Half a frame may have been sent, and the connection would not take the rest.
      cut(response);
    } else {
      if (retryMs !== undefined) {
        // `end()` uncorks, so both leave in one write; a closing server would cut off a second one.
        response.cork();
        this.#write(Buffer.from(`retry: ${retryMs}\n\n`));
      }
      response.end();
      cutUnlessSent(response);
    }
    this.#finish();
  }

  /** Lets go of a reader that has left: nothing can reach it any more. */
  abandon(): void {
    if (this.#isEnded) return;
    cut(this.#connection.response);
    this.#finish();
  }

  /** Ends the stream because of an error. */
  fail(error: unknown): void {
    if (this.#isEnded) return;
    const { response, log } = this.#connection;
    log.error({ err: error }, 'event stream failed');
    cut(response);
    this.#finish();
  }

  #pump(reader: EventReader): void {
    const { waitingBytes } = this.#context;
    // A connection that is not full has fewer bytes waiting than its high-water mark; this many more reach the limit.
    const maxBytesAtOnce = Math.max(smallestPart, waitingBytes - this.#sink.highWaterMark);
    while (!this.#isFull) {
      const bytes = this.#rest ?? reader.read();
      if (bytes === undefined) break;
      this.#rest = bytes.length > maxBytesAtOnce ? bytes.subarray(maxBytesAtOnce) : undefined;
      this.#write(this.#rest === undefined ? bytes : bytes.subarray(0, maxBytesAtOnce));
    }
    if (this.#isReplaying && this.#rest === undefined && reader.isCaughtUp) {
      this.#isReplaying = false;
      this.#write(liveComment);
    }
    if (this.#isFull || !reader.isEnded) return;
    if (reader.failure === undefined) this.end();
    else this.fail(reader.failure);
  }

  #write(bytes: Uint8Array): void {
    if (this.#isEnded || this.#sink.write(bytes) || this.#isFull) return;
    this.#isFull = true;
    this.#sink.onceDrained(() => {
      this.#isFull = false;
      this.flush();
    });
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#context.heartbeats.remove(this, this.#heartbeatGroup);
    this.#sink.release();
    this.#reader?.close();
    this.#onEnded?.();
    this.#context.onEnd(this);
  }
}

/** Cuts the stream off. HTTP/2 must be cancelled: it would otherwise wait for a caller that reads nothing. */
function cut(response: ServerResponse): void {
  if (response instanceof Http2ServerResponse) response.stream.close(constants.NGHTTP2_CANCEL);
  response.destroy();
}

/** Closes an HTTP/2 connection: in Node 22 a client may keep it when the server closes, which then waits for it. */
function leaveConnection(response: ServerResponse): void {
  if (response instanceof Http2ServerResponse) response.stream.session?.close();
}

/** Cuts the response off after a time, so that a caller that stopped reading cannot keep a closing server waiting. */
export function cutUnlessSent(response: ServerResponse): void {
  const timer = setTimeout(() => cut(response), endTimeoutMs).unref();
  response.once('close', () => clearTimeout(timer));
}

/** Ignores an error: 'close' follows, and there is no reader left to notify. */
function ignore(): void {}
