import { inspect } from 'node:util';
import { refuseUnknownOptions } from '../config/options.js';
import { follow } from '../deadline.js';
import { getLogger, type Logger } from '../logging/logger.js';
import { systemRuntime, type Runtime } from '../runtime.js';
import type { Tool } from '../tools/tool.js';
import type { ToolSource } from '../tools/tool-source.js';
import { ActiveCalls } from './calls/active-calls.js';
import { ConnectionKeeper } from './connection/connection-keeper.js';
import { explainFailure } from './connection/explain-failure.js';
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

/** What a server is made of besides its options; tests hand in their own clock. */
export interface MCPServerPorts {
  runtime?: Runtime;
}

/**
 * The tools of an MCP server, which is a program that is started here or an address. It connects when its tools are
 * first needed, and again, with growing waits, when the connection was lost.
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
  #tools: { readonly of: Connection; readonly version: number; readonly list: readonly Tool[] } | undefined;
  #version = 0;

  constructor(
    options: StdioServerOptions | HttpServerOptions,
    { runtime = systemRuntime }: MCPServerPorts = {},
  ) {
    this.#config = parseServerOptions(options);
    const config = this.#config;
    const secrets = this.#secrets;
    const logger = getLogger('svc.core.mcp').child({ server: config.name });
    this.#logger = logger;
    const calls = new ActiveCalls({ server: config.name, secrets, logger, runtime });
    const onToolsChanged = () => void (this.#version += 1);
    this.#keeper = new ConnectionKeeper({
      config,
      runtime,
      open: async (signal, onEnd) =>
        openConnection({ config, secrets, logger, calls, onToolsChanged, onEnd }, signal),
    });
    const rateLimit = new RateLimit(config.name, config.rateLimit, runtime);
    this.#caller = new ServerCaller({ config, keeper: this.#keeper, rateLimit, calls, secrets });
  }

  get name(): string {
    return this.#config.name;
  }

  /** Whether there is a connection. */
  get isConnected(): boolean {
    return this.#keeper.isOpen;
  }

  /** Connects now, so that a server that cannot be reached is found out early. */
  async connect(options: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#keeper.get(signalOf(options, 'connect'));
  }

  /** The server's tools, as its allow-list and overrides leave them. They are asked for again when the server changed them. */
  async listTools(options: { signal?: AbortSignal } = {}): Promise<readonly Tool[]> {
    const signal = signalOf(options, 'listTools');
    return this.#keeper.withConnection(signal, async (connection) => this.#list(connection, signal));
  }

  /** Ends the connection and the server's process. Closing twice is fine. */
  async close(): Promise<void> {
    await this.#keeper.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  [inspect.custom](): string {
    return `MCPServer { name: ${inspect(this.name)}, isConnected: ${this.isConnected} }`;
  }

  /** What may be shown of the server: neither its environment nor its headers. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, isConnected: this.isConnected };
  }

  async #list(connection: Connection, signal: AbortSignal): Promise<readonly Tool[]> {
    const version = this.#version;
    if (this.#tools?.of === connection && this.#tools.version === version) return this.#tools.list;
    const found = await this.#ask(connection, signal);
    const list = this.#adapt(found);
    // Of the version before the question, so that a change meanwhile makes the next one ask again.
    this.#tools = { of: connection, version, list };
    return list;
  }

  async #ask(connection: Connection, signal: AbortSignal): Promise<ServerTool[]> {
    const { name, maxTools, connectTimeoutMs: timeoutMs } = this.#config;
    const logger = this.#logger;
    // The MCP library leaves a listener at the signal, and with it all of the connection.
    const asking = new AbortController();
    const stopFollowing = follow(signal, asking);
    try {
      return await listServerTools(connection.client, { maxTools, timeoutMs, signal: asking.signal, logger });
    } catch (error) {
      signal.throwIfAborted();
      const place = { server: name, end: connection.end, secrets: this.#secrets };
      throw explainFailure(error, { ...place, doing: 'listing its tools' });
    } finally {
      stopFollowing();
    }
  }

  #adapt(found: readonly ServerTool[]): readonly Tool[] {
    const config = this.#config;
    const offered = config.tools ? found.filter(({ name }) => config.tools?.includes(name)) : found;
    const missing = config.tools?.filter((name) => !found.some((tool) => tool.name === name)) ?? [];
    if (missing.length > 0) this.#logger.warn('An MCP server lacks tools of its allow-list.', { missing });
    const lead = { prefix: config.prefix ?? config.name, separator: config.separator };
    const serverNames = offered.map(({ name }) => name);
    const names = nameTools(serverNames, lead);
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

function signalOf(given: { signal?: AbortSignal }, owner: string): AbortSignal {
  const options = given ?? {};
  refuseUnknownOptions(options, ['signal'], owner);
  return options.signal ?? NEVER;
}
