import type { RedisError } from '../errors.js';
import type { ChannelListener, Subscriptions } from '../subscriptions.js';

/** Says when something was published on a channel, or may have been. */
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

  /** Grows with whatever was published: who reads it before looking elsewhere knows whether he missed something. */
  get version(): number {
    return this.#version;
  }

  /** Whether something may still come. @throws RedisError when Redis is why nothing does */
  isOpen(): boolean {
    if (this.#failure !== undefined) throw this.#failure;
    return !this.#isClosed;
  }

  /** While it is open: resolves once something was published after a version, and when it is closed. */
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

  /** A Redis that is emptied tells nobody. */
  onPong(): void {
    this.onMessage();
  }

  onFailure(error: RedisError): void {
    this.#failure = error;
    this.close();
  }
}
