import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type ChunkFramer, chunkStart } from './chunk-framer.js';

/** Where a stream's bytes go. */
export interface StreamSink {
  /** How many bytes may wait before `write` says that it is full. */
  readonly highWaterMark: number;
  /** Takes the bytes in any case; false when it is full and will drain. */
  write(bytes: Uint8Array): boolean;
  /** Sends what was written so far, ahead of what this tick still brings. */
  send(): void;
  /** Calls the listener once, when what waits has been sent. */
  onceDrained(listener: () => void): void;
  /** Takes its listener off again, because the connection may serve another request. */
  release(): void;
}

/**
 * Sends a response's head, and gives the sink of what follows. HTTP/1.1 gets its chunks straight on the socket, made
 * once for all readers; the response itself would make three writes of each, for every reader anew. It still begins and
 * ends the stream, so what follows on the connection is in order.
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

/** What is written until this tick is over goes out together. */
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

  /** A reader takes in the head while its replay is on the way, and need not look for the head's end in all of it. */
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

  /** HTTP/2 gathers what a tick brings by itself, and HTTP/1.0 is too rare. */
  send(): void {}

  onceDrained(listener: () => void): void {
    this.#response.once('drain', listener);
  }

  release(): void {}
}
