import { inspect } from 'node:util';
import { refuseUnknownOptions } from '../config/options.js';
import { follow } from '../deadline.js';
import { getLogger, type Logger } from '../logging/logger.js';
import { systemRuntime, type Runtime } from '../runtime.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { ToolSource } from '../tools/tool-source.js';
import { ActiveCalls } from './calls/active-calls.js';
import { ConnectionKeeper } from './connection/connection-keeper.js';
import { explainFailure } from './connection/explain-failure.js';
import { usesArgumentHeaders } from './tools/argument-headers.js';
import { listServerTools, type ServerTool } from './tools/list-server-tools.js';
import { openConnection, type Connection } from './connection/open-connection.js';
import { RateLimit } from './calls/rate-limit.js';
import { Secrets } from './credentials/secrets.js';
import { ServerCaller } from './tools/server-caller.js';
import {
  parseServerOptions,
  type HttpServerOptions,
  type ServerConfig,
  type StdioServerOptions,
} from './server-options.js';
import { createServerTool } from './tools/server-tool.js';
import { nameTools } from './tools/tool-names.js';

/** The shortest time before tools are listed again that have not changed as far as is known, in milliseconds. */
const MIN_VALID_MS = 10_000;

/** The tools of a connection. */
interface KnownTools {
  readonly of: Connection;
  readonly version: number;
  readonly validUntilMs: number;
  readonly list: readonly Tool[];
}

/** The dependencies of a server, which tests can replace. */
export interface MCPServerPorts {
  runtime?: Runtime;
}

/**
 * The tools of an MCP server, which is either a program started by this process or a URL. It connects when its tools are
 * first needed, and reconnects, with growing delays, after a lost connection.
 *
 * @example
 * await using files = new MCPServer({ name: 'files', command: 'mcp-server-filesystem', args: ['/srv/docs'] });
 * agent.addTool(files);
 */
export class MCPServer implements ToolSource, AsyncDisposable {
  readonly #config: ServerConfig;
  readonly #secrets = new Secrets();
  readonly #logger: Logger;
  readonly #keeper: ConnectionKeeper;
  readonly #caller: ServerCaller;
  readonly #runtime: Runtime;
  #tools: KnownTools | undefined;
  #version = 0;

  constructor(
    options: StdioServerOptions | HttpServerOptions,
    { runtime = systemRuntime }: MCPServerPorts = {},
  ) {
    this.#config = parseServerOptions(options);
    this.#runtime = runtime;
    const config = this.#config;
    const secrets = this.#secrets;
    const logger = getLogger('svc.core.mcp').child({ server: config.name });
    this.#logger = logger;
    const calls = new ActiveCalls({ server: config.name, secrets, logger, runtime });
    const onToolsChanged = () => void (this.#version += 1);
    const parts = { config, secrets, logger, calls, onToolsChanged };
    let isStateless = false;
    this.#keeper = new ConnectionKeeper({
      config,
      runtime,
      async open(signal, onEnd) {
        const wasStateless = isStateless;
        // After a failure, it is found out anew.
        isStateless = false;
        const connection = await openConnection({ ...parts, wasStateless, onEnd }, signal);
        isStateless = connection.client.getProtocolEra() === 'modern';
        return connection;
      },
    });
    const rateLimit = new RateLimit(config.name, config.rateLimit, runtime);
    this.#caller = new ServerCaller({ config, keeper: this.#keeper, rateLimit, calls, secrets });
  }

  /** The name of the server. */
  get name(): string {
    return this.#config.name;
  }

  /** Whether the server is connected. */
  get isConnected(): boolean {
    return this.#keeper.isOpen;
  }

  /** Connects now, to detect an unreachable server early. */
  async connect(options: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#keeper.get(signalOf(options, 'connect'));
  }

  /**
   * Lists the server's tools, after the allow-list and overrides. They are requested again when the server has changed
   * them, or when they are no longer valid.
   */
  async listTools(options: { signal?: AbortSignal } = {}): Promise<readonly Tool[]> {
    const signal = signalOf(options, 'listTools');
    return this.#keeper.withConnection(signal, async (connection) => this.#list(connection, signal));
  }

  /** Closes the connection and ends the server's process. Closing twice is safe. */
  async close(): Promise<void> {
    await this.#keeper.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  [inspect.custom](): string {
    return `MCPServer { name: ${inspect(this.name)}, isConnected: ${this.isConnected} }`;
  }

  /** Returns the name and the state of the server, without its environment and headers. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, isConnected: this.isConnected };
  }

  async #list(connection: Connection, signal: AbortSignal): Promise<readonly Tool[]> {
    const version = this.#version;
    const known = this.#tools?.of === connection && this.#tools.version === version ? this.#tools : undefined;
    const now = this.#runtime.monotonicMs();
    if (known && now < known.validUntilMs) return known.list;
    try {
      const { found, validMs } = await this.#request(connection, signal);
      const list = this.#adapt(found);
      // The version before the request, so that a change meanwhile causes another request.
      this.#tools = { of: connection, version, validUntilMs: now + validMs, list };
      return list;
    } catch (error) {
      if (!known || signal.aborted) throw error;
      this.#logger.debug('The tools of an MCP server could not be listed again.', { error });
      this.#tools = { ...known, validUntilMs: now + MIN_VALID_MS };
      return known.list;
    }
  }

  async #request(
    connection: Connection,
    signal: AbortSignal,
  ): Promise<{ readonly found: readonly ServerTool[]; readonly validMs: number }> {
    const { name, maxTools, connectTimeoutMs: timeoutMs } = this.#config;
    const logger = this.#logger;
    // The MCP library leaves a listener on the signal, which would retain the connection.
    const controller = new AbortController();
    const stopFollowing = follow(signal, controller);
    let validMs = Number.POSITIVE_INFINITY;
    try {
      const found = await listServerTools(connection.client, {
        maxTools,
        timeoutMs,
        signal: controller.signal,
        logger,
        usesHeaders: usesArgumentHeaders(connection.client, this.#config),
        onValidity(ttlMs) {
          if (!connection.isWatched) validMs = Math.min(validMs, Math.max(ttlMs, MIN_VALID_MS));
        },
      });
      return { found, validMs };
    } catch (error) {
      signal.throwIfAborted();
      const context = { server: name, end: connection.end, secrets: this.#secrets };
      throw explainFailure(error, { ...context, doing: 'listing its tools' });
    } finally {
      stopFollowing();
    }
  }

  #adapt(found: readonly ServerTool[]): readonly Tool[] {
    const config = this.#config;
    const offered = config.tools ? found.filter(({ name }) => config.tools?.includes(name)) : found;
    const named = new Set([...(config.tools ?? []), ...Object.keys(config.overrides)]);
    const missing = [...named].filter((name) => !found.some((tool) => tool.name === name));
    if (missing.length > 0)
      this.#logger.warn('An MCP server does not have all tools that tools and overrides name.', { missing });
    const naming = { prefix: config.prefix ?? config.name, separator: config.separator };
    const serverNames = offered.map(({ name }) => name);
    const names = nameTools(serverNames, naming);
    return offered.map((tool) =>
      createServerTool(tool, {
        config,
        name: names.get(tool.name) ?? tool.name,
        logger: this.#logger,
        call: async (call) => this.#caller.call(call),
      }),
    );
  }
}

const NEVER = new AbortController().signal;

function signalOf(options: { signal?: AbortSignal } | undefined, owner: string): AbortSignal {
  refuseUnknownOptions(options ?? {}, ['signal'], owner);
  return options?.signal ?? NEVER;
}
