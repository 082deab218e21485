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

  constructor(source: RedisClient) {
    this.#source = source;
  }

  add(channel: string, listener: ChannelListener): void {
    const listeners = this.#channels.get(channel);
    if (listeners !== undefined) {
      listeners.add(listener);
      if (this.#listening.has(channel)) listener.onListening();
      return;
    }
    this.#channels.set(channel, new Set([listener]));
    this.#connection ??= this.#connect();
    if (this.#connection.status === 'ready') this.#listen(this.#connection, [channel]);
  }

  remove(channel: string, listener: ChannelListener): void {
    const listeners = this.#channels.get(channel);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.#channels.delete(channel);
    this.#listening.delete(channel);
    // A connection that is lost has forgotten the channel by itself.
    this.#connection?.unsubscribe(channel).catch(() => {});
  }

  /** Gives the connection up, and tells nobody. Closing twice is fine. */
  close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    clearInterval(this.#pings);
    connection?.disconnect();
  }

  #connect(): Redis {
    // Why another one failed says nothing of this one.
    this.#lastError = undefined;
    const connection = this.#source.duplicate({
      // What was on its way when it was lost is not sent again: by then somebody may not want it any more.
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
      // Without it, what is asked of a connection that is about to go fails before that is known.
      enableOfflineQueue: true,
      lazyConnect: false,
    });
    connection.on('messageBuffer', (channel: Buffer, message: Buffer) => {
      for (const listener of this.#channels.get(channel.toString()) ?? []) listener.onMessage(message);
    });
    connection.on('ready', () => {
      this.#lastError = undefined;
      this.#listen(connection, [...this.#channels.keys()]);
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
    this.#pings = setInterval(() => this.#ping(connection), PING_INTERVAL_MS);
    return connection;
  }

  #listen(connection: Redis, channels: string[]): void {
    for (let at = 0; at < channels.length; at += MOST_CHANNELS_PER_COMMAND) {
      void this.#subscribe(connection, channels.slice(at, at + MOST_CHANNELS_PER_COMMAND));
    }
  }

  /** What fails because the connection is lost is done again when it is back. */
  async #subscribe(connection: Redis, channels: string[]): Promise<void> {
    try {
      await connection.subscribe(...channels);
    } catch (error) {
      if (connection.status === 'ready')
        this.#tellFailure(channels, toRedisError('listen to a session', error));
      return;
    }
    for (const channel of channels) this.#tellListening(channel);
  }

  #tellListening(channel: string): void {
    const listeners = this.#channels.get(channel);
    if (listeners === undefined) return;
    this.#listening.add(channel);
    for (const listener of listeners) listener.onListening();
  }

  #tellFailure(channels: string[], error: RedisError): void {
    for (const channel of channels) {
      const listeners = this.#channels.get(channel);
      this.#channels.delete(channel);
      for (const listener of listeners ?? []) listener.onFailure(error);
    }
  }

  /** A connection that is half open says nothing by itself. */
  #ping(connection: Redis): void {
    if (connection.status !== 'ready') return;
    if (this.#isAwaitingPong) {
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
    this.close();
    this.#tellFailure([...this.#channels.keys()], this.#failure());
  }

  #failure(): RedisError {
    return this.#lastError === undefined
      ? redisError('Redis cannot be listened to: the connection was given up', 'REDIS_UNAVAILABLE')
      : toRedisError('be listened to', this.#lastError);
  }
}
