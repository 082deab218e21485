import type { Redis } from 'ioredis';
import { type RedisError, redisError, toRedisError } from './errors.js';
import type { RedisClient } from './redis-client.js';

/** Somebody who wants to hear what is published on a channel. */
export interface ChannelListener {
  onMessage(message: Buffer): void;
  /** Listening has begun, or begun again after messages may have been missed. */
  onListening(): void;
  /** Listening still goes on: a moment to look for what nobody publishes. */
  onPong?(): void;
  /** Nothing will be heard any more. */
  onFailure(error: RedisError): void;
}

const MOST_CHANNELS_PER_COMMAND = 500;
const PING_INTERVAL_MS = 15_000;

/**
 * All that this process listens to, over one connection of its own, however many channels there are. The connection is
 * made with the first listener, made again when it is lost, and looked after when it is silent. Where Redis does not admit
 * it, those who listen are told.
 */
export class Subscriptions {
  readonly #source: RedisClient;
  readonly #channels = new Map<string, Set<ChannelListener>>();
  readonly #listening = new Set<string>();
  #connection: Redis | undefined;
  #lastError: unknown;
  #pings: NodeJS.Timeout | undefined;
  #isAwaitingPong = false;
  #isClosed = false;

  constructor(source: RedisClient) {
    this.#source = source;
  }

  add(channel: string, listener: ChannelListener): void {
    if (this.#isClosed) return;
    const listeners = this.#channels.get(channel);
    if (listeners !== undefined) {
      listeners.add(listener);
      if (this.#listening.has(channel)) listener.onListening();
      return;
    }
    this.#channels.set(channel, new Set([listener]));
    this.#connection ??= this.#connect();
    if (this.#connection.status === 'ready') void this.#listen(this.#connection, [channel]);
  }

  remove(channel: string, listener: ChannelListener): void {
    const listeners = this.#channels.get(channel);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.#channels.delete(channel);
    this.#listening.delete(channel);
    // A connection that is lost has forgotten the channel by itself.
    if (this.#connection?.status === 'ready') this.#connection.unsubscribe(channel).catch(() => {});
  }

  /** Hears nothing more. Closing twice is fine. */
  close(): void {
    this.#isClosed = true;
    this.#channels.clear();
    this.#listening.clear();
    this.#drop();
  }

  #connect(): Redis {
    // Why another one failed says nothing of this one.
    this.#lastError = undefined;
    const connection = this.#source.duplicate({
      autoResubscribe: false,
      maxRetriesPerRequest: null,
      lazyConnect: false,
      enableAutoPipelining: false,
    });
    connection.on('messageBuffer', (channel: Buffer, message: Buffer) => {
      for (const listener of this.#channels.get(channel.toString()) ?? []) listener.onMessage(message);
    });
    connection.on('ready', () => {
      this.#lastError = undefined;
      void this.#listen(connection, [...this.#channels.keys()]);
    });
    connection.on('close', () => {
      this.#listening.clear();
      // The driver would try again for ever; a wrong password does not become right.
      if (this.#failure().code === 'REDIS_NOT_PERMITTED') this.#fail(connection);
    });
    connection.on('end', () => this.#fail(connection));
    connection.on('error', (error) => {
      this.#lastError = error;
    });
    this.#pings = setInterval(() => this.#ping(connection), PING_INTERVAL_MS).unref();
    return connection;
  }

  /** Subscribes. What fails because the connection is lost is done again when it is back. */
  async #listen(connection: Redis, channels: string[]): Promise<void> {
    for (let at = 0; at < channels.length; at += MOST_CHANNELS_PER_COMMAND) {
      const some = channels.slice(at, at + MOST_CHANNELS_PER_COMMAND);
      try {
        await connection.subscribe(...some);
      } catch (error) {
        if (connection.status !== 'ready') return;
        this.#tellFailure(some, toRedisError('listen to a session', error));
        continue;
      }
      for (const channel of some) this.#tellListening(connection, channel);
    }
  }

  #tellListening(connection: Redis, channel: string): void {
    if (connection !== this.#connection || connection.status !== 'ready') return;
    const listeners = this.#channels.get(channel);
    if (listeners === undefined) return;
    this.#listening.add(channel);
    for (const listener of listeners) listener.onListening();
  }

  #tellFailure(channels: string[], error: RedisError): void {
    for (const channel of channels) {
      const listeners = this.#channels.get(channel);
      this.#channels.delete(channel);
      this.#listening.delete(channel);
      for (const listener of listeners ?? []) listener.onFailure(error);
    }
  }

  /** A connection that is half open says nothing by itself. */
  #ping(connection: Redis): void {
    if (connection.status !== 'ready') return;
    if (this.#isAwaitingPong) {
      this.#isAwaitingPong = false;
      connection.disconnect(true);
      return;
    }
    this.#isAwaitingPong = true;
    const onAnswer = () => {
      this.#isAwaitingPong = false;
    };
    const onPong = () => {
      onAnswer();
      for (const listeners of this.#channels.values()) for (const each of listeners) each.onPong?.();
    };
    connection.ping().then(onPong, onAnswer);
  }

  /** The connection is given up. Whoever listens next makes another. */
  #fail(connection: Redis): void {
    if (connection !== this.#connection) return;
    this.#drop();
    this.#tellFailure([...this.#channels.keys()], this.#failure());
  }

  #failure(): RedisError {
    return this.#lastError === undefined
      ? redisError('Redis cannot be listened to: the connection was given up', 'REDIS_UNAVAILABLE')
      : toRedisError('be listened to', this.#lastError);
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#isAwaitingPong = false;
    clearInterval(this.#pings);
    connection?.disconnect();
  }
}
