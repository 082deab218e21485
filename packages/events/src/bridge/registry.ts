import { callable, positiveMs, readOptions, wholeFrom, withMethods } from '../check-option.js';
import { callListener } from '../delivery/call-listener.js';
import { SessionLimitError } from '../errors.js';
import { guardLogger, quietConsole, type Logger } from '../logger.js';
import { EventBridge, type CloseOptions } from './event-bridge.js';

/** The options of a {@link BridgeRegistry}. */
export interface BridgeRegistryOptions {
  /** The maximum number of sessions. @default 10_000 */
  maxSessions?: number | undefined;
  /**
   * The time without a reader or an event after which a bridge is released, in milliseconds. Events in its own memory
   * are lost then; in a shared log the session stays. @default 1_800_000 (30 minutes)
   */
  idleTimeoutMs?: number | undefined;
  /** Creates the bridge of a session, unless `getOrCreate` gets a factory. @default new EventBridge(sessionId) */
  create?: ((sessionId: string) => EventBridge) | undefined;
  /** The logger for bridges that could not be closed (warn) or were released (debug). @default console, without debug */
  logger?: Logger | undefined;
}

interface HeldBridge {
  readonly bridge: EventBridge;
  /** The newest entry it had written when it was last looked at. */
  headSeq: number | undefined;
  idleSinceMs: number;
}

const MOST_REMEMBERED_ENDS = 10_000;
const LONGEST_SWEEP_MS = 60_000;

/** The event bridges of this process, by session id. */
export class BridgeRegistry {
  readonly #options: Required<BridgeRegistryOptions>;
  readonly #held = new Map<string, HeldBridge>();
  readonly #ended = new Set<string>();
  /** Bridges that are still being closed. */
  readonly #closing = new Set<Promise<void>>();
  readonly #arrivals = new Set<(bridge?: EventBridge) => void>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @throws RangeError or TypeError naming the invalid option. */
  constructor(options: BridgeRegistryOptions = {}) {
    const {
      maxSessions = 10_000,
      idleTimeoutMs = 30 * 60_000,
      create = (sessionId: string) => new EventBridge(sessionId),
      logger = quietConsole,
    } = readOptions('BridgeRegistry', options, {
      maxSessions: true,
      idleTimeoutMs: true,
      create: true,
      logger: true,
    });
    this.#options = {
      maxSessions: wholeFrom(1, 'maxSessions', maxSessions),
      idleTimeoutMs: positiveMs('idleTimeoutMs', idleTimeoutMs),
      create: callable('create', create),
      logger: guardLogger(withMethods('logger', logger, ['debug', 'warn'])),
    };
  }

  /** The number of sessions. */
  get size(): number {
    return this.#held.size;
  }

  /** Returns the bridge of a session, if there is one. */
  get(sessionId: string): EventBridge | undefined {
    return this.#held.get(sessionId)?.bridge;
  }

  /**
   * Returns the bridge of a session, creating it if there is none.
   *
   * @throws SessionLimitError if there are too many sessions and all have readers or an open turn.
   * @throws TypeError if the registry is closed, or if the factory does not return a bridge of this session.
   */
  getOrCreate(sessionId: string, create?: ((sessionId: string) => EventBridge) | null): EventBridge {
    const known = this.get(sessionId);
    if (known !== undefined) return known;
    if (this.#isClosed) throw new TypeError('The registry is closed');
    this.#makeRoom();
    const bridge = (create ?? this.#options.create)(sessionId);
    // Otherwise readers authorized for one session would get another.
    if (bridge?.sessionId !== sessionId)
      throw new TypeError(`The factory must return the EventBridge of session '${sessionId}' synchronously`);
    this.#held.set(sessionId, { bridge, headSeq: undefined, idleSinceMs: performance.now() });
    this.#ended.delete(sessionId);
    this.#timer ??= this.#startSweeping();
    for (const arrive of this.#arrivals) callListener(() => arrive(bridge));
    return bridge;
  }

  /**
   * Calls a listener with every bridge created from now on, and without an argument when the registry closes. One
   * listener can serve any number of waiting readers. Its errors are uncaught. Returns a function that removes the
   * listener.
   */
  onBridge(listener: (bridge?: EventBridge) => void): () => void {
    this.#arrivals.add(listener);
    return () => this.#arrivals.delete(listener);
  }

  /** Whether a session was removed and not started again since. The latest 10,000 removals are remembered. */
  hasEnded(sessionId: string): boolean {
    return this.#ended.has(sessionId);
  }

  /** Ends a session and removes its bridge. Does nothing if there is none. */
  async remove(sessionId: string): Promise<void> {
    const held = this.#held.get(sessionId);
    if (held === undefined) return;
    this.#forget(sessionId);
    this.#ended.add(sessionId);
    const [oldest] = this.#ended;
    if (oldest !== undefined && this.#ended.size > MOST_REMEMBERED_ENDS) this.#ended.delete(oldest);
    await this.#close(held.bridge, { keepSession: false });
  }

  /**
   * Releases all bridges: their readers end, and sessions in a shared log can continue elsewhere. Idempotent. Resolves
   * once all bridges are closed, including those being removed; rejects with the first failure then.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const arrive of this.#arrivals) callListener(arrive);
    const bridges = Array.from(this.#held.values(), ({ bridge }) => bridge);
    for (const { sessionId } of bridges) this.#forget(sessionId);
    for (const bridge of bridges) void this.#close(bridge, { keepSession: true });
    const closing = await Promise.allSettled(this.#closing);
    for (const outcome of closing) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #startSweeping(): NodeJS.Timeout {
    const everyMs = Math.min(this.#options.idleTimeoutMs / 2, LONGEST_SWEEP_MS);
    return setInterval(() => this.#sweep(), everyMs).unref();
  }

  #sweep(): void {
    // A monotonic clock: the system clock may be set.
    const nowMs = performance.now();
    for (const [sessionId, held] of this.#held) {
      const { bridge } = held;
      if (bridge.subscriberCount > 0 || bridge.headSeq !== held.headSeq) {
        held.headSeq = bridge.headSeq;
        held.idleSinceMs = nowMs;
      } else if (nowMs - held.idleSinceMs >= this.#options.idleTimeoutMs) this.#release(sessionId, bridge);
    }
  }

  /** Releases the first session that is between turns and has no readers. */
  #makeRoom(): void {
    const { maxSessions } = this.#options;
    if (this.#held.size < maxSessions) return;
    for (const [sessionId, { bridge }] of this.#held) {
      if (!bridge.closed || bridge.subscriberCount > 0) continue;
      this.#release(sessionId, bridge);
      return;
    }
    throw new SessionLimitError(maxSessions);
  }

  #release(sessionId: string, bridge: EventBridge): void {
    this.#forget(sessionId);
    this.#options.logger.debug(`Released the idle bridge of session '${sessionId}'`);
    this.#close(bridge, { keepSession: true }).catch((error: unknown) => {
      this.#options.logger.warn(`The bridge of session '${sessionId}' could not be closed: ${String(error)}`);
    });
  }

  #close(bridge: EventBridge, options: CloseOptions): Promise<void> {
    const closing = bridge.close(options).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    return closing;
  }

  #forget(sessionId: string): void {
    this.#held.delete(sessionId);
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
