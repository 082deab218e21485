import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventBridge, EventReader, ReaderOptions } from '@svc/events';
import type { MountSettings } from '../mount-options.js';
import { ChunkFramer } from './chunk-framer.js';
import { FlushQueue } from './flush-queue.js';
import { Heartbeats } from './heartbeats.js';
import { Places } from './places.js';
import { type StreamConnection, type StreamContext, StreamWriter } from './stream-writer.js';
import { WaitingRoom } from './waiting-room.js';

/** The minimum delay before a reader reconnects after a shutdown, and how much it varies, in milliseconds. */
const reconnectMs = { min: 500, spread: 2_000 };

/** A request of a caller, and its response. */
interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The streams of one mount, and what they share. */
export class OpenStreams implements StreamContext {
  readonly framer = new ChunkFramer();
  readonly flushes = new FlushQueue(() => this.framer.forget());
  readonly heartbeats: Heartbeats;
  readonly places: Places;
  readonly waitingRoom: WaitingRoom;
  readonly waitingBytes: number;
  readonly #maxAgeMs: number | undefined;
  readonly #random: () => number;
  /** The writers, with a timer for those with a maximum age. */
  readonly #writers = new Map<StreamWriter, NodeJS.Timeout | undefined>();
  /** Callbacks that give up the readers being opened. */
  readonly #openings = new Set<() => void>();
  #isDraining = false;

  constructor(
    { heartbeatIntervalMs, limits, maxConnectionAgeMs, registry }: MountSettings,
    random: () => number,
  ) {
    this.heartbeats = new Heartbeats(heartbeatIntervalMs);
    this.places = new Places(limits);
    this.waitingRoom = new WaitingRoom(registry, limits.waitingReaders);
    this.waitingBytes = limits.waitingBytes;
    this.#maxAgeMs = maxConnectionAgeMs;
    this.#random = random;
  }

  /** Whether a shutdown has begun, after which no new stream is opened. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Opens a reader; undefined if a shutdown begins or the caller leaves first: neither waits for the log. */
  openReader(
    bridge: EventBridge,
    { request, response, ...options }: ReaderOptions & HttpExchange,
  ): Promise<EventReader | undefined> {
    if (this.#isDraining) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const stop = () => {
        response.off('close', giveUp);
        request.off('aborted', giveUp);
        return this.#openings.delete(giveUp);
      };
      const giveUp = () => {
        stop();
        resolve(undefined);
      };
      this.#openings.add(giveUp);
      response.once('close', giveUp);
      // A pipelined response has no connection yet that could close it.
      request.once('aborted', giveUp);
      bridge.openReader(options).then(
        (reader) => {
          if (!stop()) reader.close();
          resolve(reader);
        },
        (error: unknown) => {
          stop();
          reject(error);
        },
      );
    });
  }

  /** Opens a stream, which gives back its reader's place when it ends. */
  open(connection: StreamConnection): StreamWriter {
    const writer = new StreamWriter(this, connection);
    const ageTimer =
      this.#maxAgeMs === undefined ? undefined : setTimeout(() => writer.end(), this.#maxAgeMs).unref();
    this.#writers.set(writer, ageTimer);
    return writer;
  }

  onEnd(writer: StreamWriter): void {
    clearTimeout(this.#writers.get(writer));
    this.#writers.delete(writer);
    this.places.leave(writer.sessionId);
  }

  /**
   * Ends all streams. Each reader gets a different time to reconnect: browsers wait exactly that long, and would
   * otherwise all reconnect at once.
   */
  drain(): void {
    this.#isDraining = true;
    this.waitingRoom.close();
    for (const giveUp of this.#openings) giveUp();
    for (const writer of this.#writers.keys()) {
      writer.end({ retryMs: Math.round(reconnectMs.min + this.#random() * reconnectMs.spread) });
    }
  }
}
