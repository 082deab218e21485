import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type ChunkFramer, chunkStart } from './chunk-framer.js';

/** The destination of a stream's bytes. */
export interface StreamSink {
  /** How many bytes may wait before `write` returns false. */
  readonly highWaterMark: number;
  /** Always takes the bytes; returns false if it is full and will drain. */
  write(bytes: Uint8Array): boolean;
  /** Sends what was written so far, without waiting for the rest of this tick. */
  send(): void;
  /** Calls the listener once, when the waiting bytes have been sent. */
  onceDrained(listener: () => void): void;
  /** Removes its listener, because the connection may serve another request. */
  release(): void;
}

/**
 * Sends a response's head and returns the sink for its body. For HTTP/1.1 the chunks are written straight to the
 * socket, framed once for all readers; the response itself would make three writes per chunk and reader. It begins and
 * ends the stream itself, so the next response on the connection is in order.
 */
export function createSink(response: ServerResponse, framer: ChunkFramer): StreamSink {
  const { socket } = response;
  if (response instanceof ServerResponse) holdForThisTick(socket);
  response.flushHeaders();
  const isChunked = response instanceof ServerResponse && response.chunkedEncoding;
  // A pipelined response has no socket yet; that of `app.inject` has one that goes nowhere.
  return isChunked && socket instanceof Socket
    ? new ChunkedSocketSink(socket, framer)
    : new ResponseSink(response);
}

/** Sends everything written in this tick together. */
function holdForThisTick(socket: Socket | null): void {
  socket?.cork();
  process.nextTick(() => socket?.uncork());
}

class ChunkedSocketSink implements StreamSink {
  readonly #socket: Socket;
  readonly #framer: ChunkFramer;
  #listener: (() => void) | undefined;

  constructor(socket: Socket, framer: ChunkFramer) {
    this.#socket = socket;
    this.#framer = framer;
  }

  get highWaterMark(): number {
    return this.#socket.writableHighWaterMark;
  }

  write(bytes: Uint8Array): boolean {
    const chunk = this.#framer.chunkOf(bytes);
    if (chunk !== undefined) return this.#socket.write(chunk);
    this.#socket.cork();
    this.#socket.write(chunkStart(bytes.length), 'latin1');
    this.#socket.write(bytes);
    const hasRoom = this.#socket.write('\r\n', 'latin1');
    this.#socket.uncork();
    return hasRoom;
  }

  /** Sends the head first, so that a reader parses it while the replay is on its way and need not search all of it. */
  send(): void {
    if (this.#socket.writableCorked === 0) return;
    this.#socket.uncork();
    this.#socket.cork();
  }

  onceDrained(listener: () => void): void {
    this.#listener = listener;
    this.#socket.once('drain', listener);
  }

  release(): void {
    if (this.#listener) this.#socket.off('drain', this.#listener);
  }
}

class ResponseSink implements StreamSink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get highWaterMark(): number {
    return this.#response.writableHighWaterMark;
  }

  write(bytes: Uint8Array): boolean {
    return this.#response.write(bytes);
  }

  /** Does nothing: HTTP/2 collects the writes of a tick by itself, and HTTP/1.0 is too rare. */
  send(): void {}

  onceDrained(listener: () => void): void {
    this.#response.once('drain', listener);
  }

  release(): void {}
}
