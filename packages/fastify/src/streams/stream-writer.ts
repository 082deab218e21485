import type { ServerResponse } from 'node:http';
import { constants, Http2ServerResponse } from 'node:http2';
import type { EventReader } from '@svc/events';
import type { ChunkFramer } from './chunk-framer.js';
import type { FlushQueue } from './flush-queue.js';
import type { Heartbeats } from './heartbeats.js';
import { createSink, type StreamSink } from './stream-sink.js';

/** Tells our client that what follows is a replay, to be shown as one change. Every other reader ignores it. */
const replayComment = Buffer.from(': replay\n\n');
/** And that what follows is new. */
const liveComment = Buffer.from(': live\n\n');

/** How long the end of a stream may take to arrive, in milliseconds. */
const longestEndMs = 10_000;

/** What all writers of a mount share. */
export interface StreamContext {
  readonly framer: ChunkFramer;
  readonly flushes: FlushQueue;
  readonly heartbeats: Heartbeats;
  /** The most bytes that wait to be sent on one connection. */
  readonly waitingBytes: number;
  /** Hears once that a connection is gone or has ended. */
  onEnd(writer: StreamWriter): void;
}

/** The connection of a writer. */
export interface StreamConnection {
  readonly sessionId: string;
  /** Its head has been written, and is sent by the writer. */
  readonly response: ServerResponse;
  /** Hears why the stream could not go on. */
  readonly log: { error(detail: { err: unknown }, message: string): void };
}

/**
 * Writes one reader's frames to one connection, no faster than it takes them. A slow connection holds a place in the
 * log and a bounded number of bytes. Nothing here waits: it acts when the reader has news, the connection drains, a
 * heartbeat is due, or it is ended, so there is no promise that could stay pending. There may be thousands of these, so
 * each holds little.
 */
export class StreamWriter {
  readonly #context: StreamContext;
  readonly #connection: StreamConnection;
  readonly #sink: StreamSink;
  readonly #beatingGroup: number;
  #reader: EventReader | undefined;
  /** What is left of the bytes the reader gave last; a connection that has left some of them is full. */
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
    this.#beatingGroup = context.heartbeats.add(this);
    response.on('close', () => this.#finish());
    response.on('error', ignore);
  }

  get sessionId(): string {
    return this.#connection.sessionId;
  }

  /** Tells one listener of the end. */
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

  /** Says that nothing is to come yet, so that headers and a first byte are on their way. */
  greet(): void {
    this.#write(liveComment);
  }

  /** Writes what is at hand, as far as the connection takes it. */
  flush(): void {
    if (this.#reader === undefined) return;
    try {
      this.#pump(this.#reader);
    } catch (error) {
      this.fail(error);
    }
  }

  beat(frame: Uint8Array): void {
    // A connection that does not take what it was given is not idle.
    if (!this.#isFull) this.#write(frame);
  }

  /**
   * Ends the stream where it stands; the reader comes back with its cursor. With `retryMs` it comes after that time, and
   * over another connection.
   */
  end({ retryMs }: { retryMs?: number } = {}): void {
    if (this.#isEnded) return;
    const { response } = this.#connection;
    // First, because a stream that was cut has no connection any more.
    if (retryMs !== undefined) leaveConnection(response);
    if (this.#isFull) {
      // Half a frame may be on its way, and the rest would not be taken.
      cut(response);
    } else {
      if (retryMs !== undefined) {
        // The end lifts the cork: in a write of its own, a server that closes would cut it off behind this one.
        response.cork();
        this.#write(Buffer.from(`retry: ${retryMs}\n\n`));
      }
      response.end();
      cutAfter(response, longestEndMs);
    }
    this.#finish();
  }

  /** Ends the stream because it cannot go on. */
  fail(error: unknown): void {
    if (this.#isEnded) return;
    const { response, log } = this.#connection;
    log.error({ err: error }, 'the event stream broke off');
    cut(response);
    this.#finish();
  }

  #pump(reader: EventReader): void {
    const { waitingBytes } = this.#context;
    // A connection that is not full has less than its high-water mark waiting; with this much more it is at the bound.
    const mostAtOnce = Math.max(1, waitingBytes - this.#sink.highWaterMark);
    while (!this.#isFull) {
      const bytes = this.#rest ?? reader.read();
      if (bytes === undefined) break;
      this.#rest = bytes.length > mostAtOnce ? bytes.subarray(mostAtOnce) : undefined;
      this.#write(this.#rest === undefined ? bytes : bytes.subarray(0, mostAtOnce));
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
    this.#context.heartbeats.remove(this, this.#beatingGroup);
    this.#sink.release();
    this.#reader?.close();
    this.#onEnded?.();
    this.#context.onEnd(this);
  }
}

/** Breaks the stream off. HTTP/2 would wait with its end for a caller that takes nothing, unless it is cancelled. */
function cut(response: ServerResponse): void {
  if (response instanceof Http2ServerResponse) response.stream.close(constants.NGHTTP2_CANCEL);
  response.destroy();
}

/** Node 22 lets a client keep its HTTP/2 connection when the server closes, which waits for it. */
function leaveConnection(response: ServerResponse): void {
  if (response instanceof Http2ServerResponse) response.stream.session?.close();
}

/** A caller that does not take the end, or has left without a word, shall not keep a closing server waiting. */
function cutAfter(response: ServerResponse, timeoutMs: number): void {
  const timer = setTimeout(() => cut(response), timeoutMs).unref();
  response.once('close', () => clearTimeout(timer));
}

/** 'close' follows, and there is nobody left to be told of a broken connection. */
function ignore(): void {}
