import { raceAbort } from '../../deadline.js';
import type { Runtime } from '../../runtime.js';
import { MCPError } from '../errors.js';
import type { Connection } from './open-connection.js';
import type { ServerConfig } from '../server-options.js';

/** How long a connection must have been open to count as a success, in milliseconds. */
const STABLE_AFTER_MS = 10_000;

/** The parts of a connection keeper. */
export interface KeeperParts {
  readonly config: ServerConfig;
  readonly runtime: Runtime;
  readonly open: (signal: AbortSignal, onEnd: (ended: Connection) => void) => Promise<Connection>;
}

type Work<Result> = (connection: Connection) => Promise<Result>;

/** Keeps a connection: opens it when it is first needed, and reopens a lost one, with growing delays. */
export class ConnectionKeeper {
  readonly #parts: KeeperParts;
  readonly #closing = new AbortController();
  /** The number of users of each connection. */
  readonly #users = new Map<Connection, number>();
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
    return this.#current !== undefined && !this.#current.isEnding;
  }

  /** Returns an open connection. Aborting stops waiting but not connecting, because others may be waiting too. */
  async get(signal: AbortSignal): Promise<Connection> {
    this.#assertNotClosed();
    signal.throwIfAborted();
    const current = this.#current;
    if (current && !current.isEnding) return current;
    this.#opening ??= this.#reopen().finally(() => (this.#opening = undefined));
    return raceAbort(this.#opening, signal);
  }

  /**
   * Runs work with an open connection. If the server does not know the session, and so did nothing, the work runs once
   * more with a new one, unless it has begun by then.
   */
  async withConnection<Result>(
    signal: AbortSignal,
    work: Work<Result>,
    hasBegun: () => boolean = () => false,
  ): Promise<Result> {
    const connection = await this.get(signal);
    try {
      return await this.#run(connection, work);
    } catch (error) {
      if (!isSessionLost(error) || hasBegun()) throw error;
    }
    return this.#run(await this.get(signal), work);
  }

  /** Closes the connection for good. Closing twice is safe. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) this.#closing.abort(this.#closedError());
    // Waiting callers get the error; here it only matters that nothing stays open.
    await this.#opening?.catch(() => {});
    const inUse = [...this.#users.keys()].map(async (connection) => connection.close());
    await Promise.all([this.#current?.close(), ...inUse]);
  }

  /** Closes a lost connection after its last user: others may still get their responses over it. */
  async #run<Result>(connection: Connection, work: Work<Result>): Promise<Result> {
    this.#users.set(connection, (this.#users.get(connection) ?? 0) + 1);
    try {
      return await work(connection);
    } catch (error) {
      if (isSessionLost(error)) this.#giveUp(connection);
      throw error;
    } finally {
      const others = (this.#users.get(connection) ?? 1) - 1;
      if (others > 0) this.#users.set(connection, others);
      else this.#users.delete(connection);
      if (others === 0 && connection !== this.#current) await connection.close();
    }
  }

  #giveUp(connection: Connection): void {
    this.#noteEnd(connection);
    if (this.#current === connection) this.#current = undefined;
  }

  async #reopen(): Promise<Connection> {
    const { maxAttempts } = this.#parts.config.reconnect;
    // The last responses of a program that has exited may still arrive.
    if (this.#current) await raceAbort(this.#current.ended, this.#closing.signal);
    await this.#current?.close();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#openOnce();
      } catch (error) {
        this.#noteFailure();
        // Only a lost connection is retried, not one that never worked.
        const canRetry = this.#hasBeenOpen && attempt < maxAttempts && isTransient(error);
        if (!canRetry || this.#closing.signal.aborted) throw error;
      }
    }
  }

  async #openOnce(): Promise<Connection> {
    const { runtime, open } = this.#parts;
    const { signal } = this.#closing;
    const delayMs = this.#notBefore - runtime.monotonicMs();
    if (delayMs > 0) await runtime.sleep(delayMs, signal);
    const connection = await open(signal, (ended) => this.#noteEnd(ended));
    this.#current = connection;
    this.#openedAt = runtime.monotonicMs();
    this.#hasBeenOpen = true;
    if (signal.aborted) {
      await connection.close();
      throw this.#closedError();
    }
    return connection;
  }

  #noteEnd(connection: Connection): void {
    // A failed attempt is recorded where it was made, and a dropped connection has been recorded already.
    if (connection !== this.#current) return;
    if (this.#parts.runtime.monotonicMs() - this.#openedAt >= STABLE_AFTER_MS) this.#failures = 0;
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
    return new MCPError(`The MCPServer '${name}' is closed.`, { code: 'MCP_CLOSED', server: name });
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof MCPError && error.isRetryable;
}

function isSessionLost(error: unknown): boolean {
  return error instanceof MCPError && error.code === 'MCP_HTTP_404';
}
