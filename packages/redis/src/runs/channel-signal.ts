import type { RedisError } from '../errors.js';
import type { ChannelListener, Subscriptions } from '../subscriptions.js';

/** Signals that something was, or may have been, published on a channel. */
export class ChannelSignal implements ChannelListener {
  readonly #subscriptions: Subscriptions;
  readonly #channel: string;
  #version = 0;
  #failure: RedisError | undefined;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(subscriptions: Subscriptions, channel: string) {
    this.#subscriptions = subscriptions;
    this.#channel = channel;
    subscriptions.add(channel, this);
  }

  /** Grows with each message: a caller that notes it before a read can tell whether something came since. */
  get version(): number {
    return this.#version;
  }

  /** Whether something may still come. @throws RedisError if the subscription failed */
  isOpen(): boolean {
    if (this.#failure !== undefined) throw this.#failure;
    return !this.#isClosed;
  }

  /** Resolves once something is published after a version, or the signal is closed. Call it only while open. */
  async after(version: number): Promise<void> {
    if (this.#version !== version) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#subscriptions.remove(this.#channel, this);
    this.#wake?.();
  }

  onMessage(): void {
    this.#version += 1;
    this.#wake?.();
  }

  onListening(): void {
    this.onMessage();
  }

  /** A flushed Redis publishes nothing. */
  onPong(): void {
    this.onMessage();
  }

  onFailure(error: RedisError): void {
    this.#failure = error;
    this.close();
  }
}
