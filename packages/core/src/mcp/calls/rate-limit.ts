import { raceAbort } from '../../deadline.js';
import type { Runtime } from '../../runtime.js';
import { MCPError } from '../errors.js';
import type { ServerConfig } from '../server-options.js';

/** Starts the calls of a server only as often as allowed, in order. */
export class RateLimit {
  readonly #server: string;
  readonly #options: ServerConfig['rateLimit'];
  readonly #runtime: Runtime;
  /** The start times of the last calls, as many as may start in one window. */
  readonly #startTimes: number[] = [];
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(server: string, options: ServerConfig['rateLimit'], runtime: Runtime) {
    this.#server = server;
    this.#options = options;
    this.#runtime = runtime;
  }

  /** Resolves when a call may start. Aborting gives up its place in the queue. */
  async enter(signal: AbortSignal): Promise<void> {
    const options = this.#options;
    if (!options) return;
    signal.throwIfAborted();
    if (this.#waiting === 0 && this.#delayMs(options) <= 0) return this.#start(options);
    if (this.#waiting >= options.maxWaiting) {
      throw new MCPError(
        `The rate limit of the MCP server '${this.#server}' is reached, and ${this.#waiting} calls are already waiting.`,
        {
          code: 'MCP_RATE_LIMITED',
          server: this.#server,
          isRetryable: true,
        },
      );
    }
    this.#waiting += 1;
    const turn = this.#last.then(async () => this.#takeTurn(options, signal));
    // The next call gets its turn whether or not this one was aborted.
    this.#last = turn.catch(() => {});
    try {
      await raceAbort(turn, signal);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #takeTurn(options: NonNullable<ServerConfig['rateLimit']>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const delayMs = this.#delayMs(options);
    if (delayMs > 0) await this.#runtime.sleep(delayMs, signal);
    this.#start(options);
  }

  #start({ maxCalls }: NonNullable<ServerConfig['rateLimit']>): void {
    this.#startTimes.push(this.#runtime.monotonicMs());
    if (this.#startTimes.length > maxCalls) this.#startTimes.shift();
  }

  #delayMs({ maxCalls, perMs, minIntervalMs }: NonNullable<ServerConfig['rateLimit']>): number {
    const oldest = this.#startTimes.length < maxCalls ? undefined : this.#startTimes[0];
    const freeAt = Math.max(
      oldest === undefined ? 0 : oldest + perMs,
      this.#startTimes.length === 0 ? 0 : (this.#startTimes.at(-1) ?? 0) + minIntervalMs,
    );
    return freeAt - this.#runtime.monotonicMs();
  }
}
