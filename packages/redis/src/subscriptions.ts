import type { Redis } from 'ioredis';
import { type RedisError, redisError, toRedisError } from './errors.js';
import type { RedisClient } from './redis-client.js';

/** Receives what is published on a channel. */
export interface ChannelListener {
  onMessage(message: Buffer): void;
  /** The channel is subscribed, or subscribed again after messages may have been missed. */
  onListening(): void;
  /** The connection is still alive: a moment to check for changes that are not published. */
  onPong?(): void;
  /** No more messages will arrive. */
  onFailure(error: RedisError): void;
}

const MOST_CHANNELS_PER_COMMAND = 500;
const PING_INTERVAL_MS = 15_000;

/**
 * All channel subscriptions of a log or a store, over one connection of their own. The connection is opened for the first
 * listener, reopened when it is lost, and pinged in case it has gone silent. If Redis rejects the login, the listeners are
 * notified.
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
    // A lost connection has no subscriptions any more.
    this.#connection?.unsubscribe(channel).catch(() => {});
  }

  /** Closes the connection without notifying anyone. Idempotent. */
  close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    clearInterval(this.#pings);
    connection?.disconnect();
  }

  #connect(): Redis {
    // The previous connection's error says nothing about this one.
    this.#lastError = undefined;
    const connection = this.#source.duplicate({
      // Commands in flight when the connection is lost are not sent again: they may be obsolete by then.
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
      // A ping that timed out would count as answered, and a silent connection would be kept.
      commandTimeout: undefined,
      // Without it, commands on a closing connection fail before its status changes.
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
      // ioredis would retry forever, but a wrong password stays wrong.
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

  /** Does nothing if the connection is lost: its channels are subscribed again once it is back. */
  async #subscribe(connection: Redis, channels: string[]): Promise<void> {
    try {
      await connection.subscribe(...channels);
    } catch (error) {
      if (connection.status === 'ready') this.#notifyFailure(channels, toRedisError('subscribe', error));
      return;
    }
    for (const channel of channels) this.#notifyListening(channel);
  }

  #notifyListening(channel: string): void {
    const listeners = this.#channels.get(channel);
    if (listeners === undefined) return;
    this.#listening.add(channel);
    for (const listener of listeners) listener.onListening();
  }

  #notifyFailure(channels: string[], error: RedisError): void {
    for (const channel of channels) {
      const listeners = this.#channels.get(channel);
      this.#channels.delete(channel);
      for (const listener of listeners ?? []) listener.onFailure(error);
    }
  }

  /** Detects a half-open connection, which reports nothing by itself. */
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

  /** Gives up the connection. The next listener opens a new one. */
  #fail(connection: Redis): void {
    if (connection !== this.#connection) return;
    this.close();
    this.#notifyFailure([...this.#channels.keys()], this.#failure());
  }

  #failure(): RedisError {
    return this.#lastError === undefined
      ? redisError('Redis could not subscribe: the connection was closed', 'REDIS_UNAVAILABLE')
      : toRedisError('subscribe', this.#lastError);
  }
}
