import type { RunStore } from '@svc/contracts/orchestrator';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { buildServer } from './build-server.js';
import type { Clock } from './clock.js';
import { Quota } from './ingress/quota.js';
import type { KeyRing, Keys } from './keys/key-ring.js';
import type { FixedKey } from './keys/key-scope.js';
import { KeyWatch } from './key-watch.js';
import type { Memory } from './memory/memory.js';
import type { OrchestratorLogger } from './logger.js';
import type { OrchestratorMetrics } from './observe/metrics.js';
import type { OrchestratorSettings } from './options.js';
import { parseOptions } from './parse-options.js';
import type { RandomText } from './random-text.js';
import { hostNames } from './routes/refuse-foreign-hosts.js';
import type { StreamRegistry } from './streams/stream-registry.js';
import type { SessionManager } from './sessions/session-manager.js';
import { storeWithFailures } from './sessions/journal/store-failure.js';
import { Housekeeping } from './store/housekeeping.js';

/** The parts of an orchestrator. */
export interface OrchestratorParts {
  readonly settings: OrchestratorSettings;
  readonly store: RunStore;
  readonly manager: SessionManager;
  readonly memory: Memory;
  readonly streams: StreamRegistry;
  readonly metrics: OrchestratorMetrics;
  readonly logger: OrchestratorLogger;
  readonly keys: KeyRing;
  /** The key for in-process use. */
  readonly ownKey: FixedKey;
  readonly clock: Clock;
  readonly randomText: RandomText;
  readonly onError: (error: unknown) => void;
}

/** The options of `Orchestrator.close`. */
export interface CloseOptions {
  /** How long to wait for active runs, in milliseconds. Then the next start resumes them; with a store in memory they end. @default 0 */
  drainTimeoutMs?: number | undefined;
}

const ListenSchema = z.strictObject({
  host: z
    .string()
    .regex(/\S/, 'must be an address, such as 127.0.0.1, or 0.0.0.0 for all of them')
    .default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(7420),
});
const CloseSchema = z.strictObject({ drainTimeoutMs: z.number().min(0).default(0) } satisfies Record<
  keyof CloseOptions,
  z.ZodType
>);

/** How long runs may take to write their end when an orchestrator without a persistent store is closed. */
const endRunsTimeoutMs = 2000;
/** How long to wait for an unresponsive store when runs are released. */
const releaseTimeoutMs = 5000;

/** A planning service, embedded in a process or on its own. Created by `createOrchestrator`. */
export class Orchestrator {
  readonly #parts: OrchestratorParts;
  readonly #app: FastifyInstance;
  readonly #keyWatch: KeyWatch;
  readonly #housekeeping: Housekeeping;
  #hosts: ReadonlySet<string> | undefined;
  #url: string | undefined;
  #binding: Promise<unknown> | undefined;
  #hasStarted = false;
  #draining = false;
  #closing: Promise<void> | undefined;

  constructor(parts: OrchestratorParts) {
    const { settings, store, manager, memory, streams, keys, clock, randomText, metrics, logger, onError } =
      parts;
    this.#parts = parts;
    const watchedStore = storeWithFailures(store);
    this.#app = buildServer(
      {
        store: watchedStore,
        manager,
        memory,
        streams,
        metrics,
        logger,
        quota: new Quota(watchedStore, clock, settings.limits),
        clock,
        randomText,
        limits: settings.limits,
        heartbeatIntervalMs: settings.heartbeatIntervalMs,
        baseUrl: (request) => this.#baseUrl(request),
        hasStarted: () => this.#hasStarted,
        isDraining: () => this.#draining,
      },
      {
        keys,
        keyCheckIntervalMs: settings.keyCheckIntervalMs,
        hosts: () => this.#hosts,
      },
    );
    const watched = { keys, manager, streams, store, clock, onError };
    this.#keyWatch = new KeyWatch({ ...watched, intervalMs: settings.keyCheckIntervalMs });
    const retentionMs = settings.sessionRetentionMs;
    this.#housekeeping = new Housekeeping({ store, memory, clock, retentionMs, onError });
  }

  /** Creates, lists and revokes project keys. */
  get keys(): Keys {
    return this.#parts.keys;
  }

  /** The key for clients in this process, different for each orchestrator. */
  get apiKey(): string {
    return this.#parts.ownKey.key;
  }

  /** The URL at which it listens, such as `http://127.0.0.1:7420`. @throws Error before `listen` */
  get url(): string {
    if (this.#url === undefined)
      throw new Error('The orchestrator is not listening yet; call listen() first.');
    return this.#url;
  }

  /**
   * Starts listening, and resolves once all unfinished runs have resumed. Requests are answered before that.
   * `host` is `127.0.0.1` by default; `port` is 7420, and 0 selects a free one.
   * @returns the URL
   * @throws the store's error if the runs cannot be resumed; the orchestrator then stops listening
   * @throws Error if it was listening before, or is closed
   * @throws RangeError naming an unknown or invalid option, such as an empty host, which Node would take for all addresses
   */
  async listen(options: { host?: string | undefined; port?: number | undefined } = {}): Promise<string> {
    const { host, port } = parseOptions(ListenSchema, options ?? {}, 'listen');
    if (this.#binding || this.#closing)
      throw new Error('An orchestrator can listen only once; create another one to listen again.');
    this.#hosts = hostNames(host, this.#parts.settings);
    this.#binding = this.#app.listen({ host, port });
    await this.#binding;
    const address = this.#app.server.address();
    const bound = typeof address === 'object' && address ? address.port : port;
    const name =
      host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
    this.#url = `http://${name}:${bound}`;
    await this.#start();
    return this.#url;
  }

  /** Resuming many runs takes a while; requests are answered in the meantime, so revoked keys must be noticed. */
  async #start(): Promise<void> {
    try {
      if (!this.#closing) {
        this.#keyWatch.open();
        await this.#parts.manager.open();
      }
      if (this.#closing) throw new Error('The orchestrator was closed while it was starting.');
    } catch (error) {
      this.#keyWatch.close();
      await this.#app.close();
      throw error;
    }
    this.#housekeeping.open();
    this.#hasStarted = true;
  }

  /**
   * Stops accepting sessions and runs, waits up to `drainTimeoutMs` for active runs, then closes everything, including
   * the store. Calling it twice is allowed.
   *
   * @throws RangeError naming an unknown or invalid option
   */
  async close(options: CloseOptions = {}): Promise<void> {
    const { drainTimeoutMs } = parseOptions(CloseSchema, options ?? {}, 'close');
    this.#closing ??= this.#close(drainTimeoutMs);
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(drainTimeoutMs: number): Promise<void> {
    const { manager, memory, store, streams } = this.#parts;
    this.#draining = true;
    manager.drain();
    if (drainTimeoutMs > 0) await this.#drain(drainTimeoutMs);
    this.#keyWatch.close();
    this.#housekeeping.close();
    // Runs in a memory store cannot continue, so they end; others are left to the next start.
    if (store.scope === 'memory') await this.#endRuns();
    await this.#release();
    streams.endAll();
    // A server that is still binding cannot be closed yet; `listen` reports whether it failed.
    await this.#binding?.catch(() => {});
    await this.#app.close();
    await memory.close();
    await store.close();
  }

  async #drain(timeoutMs: number): Promise<void> {
    const timeout = new AbortController();
    const cancel = this.#parts.clock.after(timeoutMs, () => timeout.abort());
    await this.#parts.manager.whenIdle(timeout.signal);
    cancel();
  }

  async #endRuns(): Promise<void> {
    const { manager } = this.#parts;
    await manager.cancelAll({ code: 'ORCHESTRATOR_CLOSED', reason: 'The orchestrator was closed.' });
    await this.#drain(endRunsTimeoutMs);
  }

  /** Lets others take the runs at once; if the store does not answer, they take them once the leases expire. */
  async #release(): Promise<void> {
    const { manager, clock, logger, settings } = this.#parts;
    const timeoutMs = Math.min(settings.leaseMs, releaseTimeoutMs);
    await new Promise<void>((resolve, reject) => {
      const cancel = clock.after(timeoutMs, () => {
        logger.warn(
          { waited_ms: timeoutMs },
          'the store does not answer; runs stay leased until their leases expire',
        );
        resolve();
      });
      manager.close().finally(cancel).then(resolve, reject);
    });
  }

  #baseUrl(request: FastifyRequest): string {
    const { publicUrl } = this.#parts.settings;
    return publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`;
  }
}
