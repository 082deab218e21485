import { raceAbort } from '../deadline.js';
import type { Runtime } from '../runtime.js';
import { MCPError } from './errors.js';
import type { Connection } from './open-connection.js';
import type { ServerConfig } from './server-options.js';

/** A connection that was open for so long was good, in milliseconds; one that was not counts as a failure. */
const GOOD_AFTER_MS = 10_000;

/** What keeping a connection needs. */
export interface KeeperParts {
  readonly config: ServerConfig;
  readonly runtime: Runtime;
  readonly open: (signal: AbortSignal, onEnd: () => void) => Promise<Connection>;
}

/** Has a connection for whoever asks: opens it when first needed, and anew, each time later, when it was lost. */
export class ConnectionKeeper {
  readonly #parts: KeeperParts;
  readonly #closing = new AbortController();
  #current: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #failures = 0;
  #notBefore = 0;
  #openedAt = 0;
  #hasBeenOpen = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#current !== undefined && this.#current.end === undefined;
  }

  /** An open connection. Aborting stops the wait, not the connecting, which others may wait for too. */
  async get(signal: AbortSignal): Promise<Connection> {
    this.#assertNotClosed();
    signal.throwIfAborted();
    const current = this.#current;
    if (current && current.end === undefined) return current;
    this.#opening ??= this.#reopen().finally(() => (this.#opening = undefined));
    return raceAbort(this.#opening, signal);
  }

  /** Gives a connection up that turned out to be useless. */
  async drop(connection: Connection): Promise<void> {
    if (this.#current === connection) this.#current = undefined;
    await connection.close();
  }

  /** Closes the connection for good. Closing twice is fine. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) this.#closing.abort(this.#closedError());
    // Whoever waits for it is told; here only that nothing stays open matters.
    await this.#opening?.catch(() => {});
    await this.#current?.close();
  }

  async #reopen(): Promise<Connection> {
    const { maxAttempts } = this.#parts.config.reconnect;
    await this.#current?.close();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#openOnce();
      } catch (error) {
        this.#noteFailure();
        // What never worked is not going to: only what was lost is tried again.
        const isTriedAgain = this.#hasBeenOpen && attempt < maxAttempts && isTransient(error);
        if (!isTriedAgain || this.#closing.signal.aborted) throw error;
      }
    }
  }

  async #openOnce(): Promise<Connection> {
    const { runtime, open } = this.#parts;
    const { signal } = this.#closing;
    const delayMs = this.#notBefore - runtime.monotonicMs();
    if (delayMs > 0) await runtime.sleep(delayMs, signal);
    const connection = await open(signal, () => this.#noteEnd());
    this.#current = connection;
    this.#openedAt = runtime.monotonicMs();
    this.#hasBeenOpen = true;
    if (signal.aborted) {
      await connection.close();
      throw this.#closedError();
    }
    return connection;
  }

  #noteEnd(): void {
    if (!this.#hasBeenOpen || this.#opening) return;
    if (this.#parts.runtime.monotonicMs() - this.#openedAt >= GOOD_AFTER_MS) this.#failures = 0;
    else this.#noteFailure();
  }

  #noteFailure(): void {
    const { runtime, config } = this.#parts;
    const { baseMs, maxDelayMs } = config.reconnect;
    this.#failures += 1;
    const fullMs = Math.min(maxDelayMs, baseMs * 2 ** Math.min(this.#failures - 1, 30));
    this.#notBefore = runtime.monotonicMs() + fullMs * (0.5 + runtime.random() / 2);
  }

  #assertNotClosed(): void {
    if (this.#closing.signal.aborted) throw this.#closedError();
  }

  #closedError(): MCPError {
    const { name } = this.#parts.config;
    return new MCPError(`The MCP server '${name}' was closed here.`, { code: 'MCP_CLOSED', server: name });
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof MCPError && error.isRetryable;
}
