import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import * as z from 'zod';
import { checkOptions, invalidOption, withoutNulls, type ShapeOf } from '../../config/options.js';
import { MAX_TIMER_MS } from '../../deadline.js';
import { getLogger } from '../../logging/logger.js';
import { systemRuntime } from '../../runtime.js';
import { VERSION } from '../../version.js';
import { isHostAllowed } from './allowed-hosts.js';
import { HttpSessions, refuse } from './http-sessions.js';
import { answerNodeRequest } from './node-listener.js';
import { offerAgent } from './offer-agent.js';
import type { Offer } from './offer.js';
import { offerTools } from './offer-tools.js';
import { createProtocolServer, type ProtocolServer, type ServerIdentity } from './protocol-server.js';
import type { ServableAgent } from './servable-agent.js';

const durationMs = z.number().positive().max(MAX_TIMER_MS);

/** What {@link serveMcp} takes besides the agent. */
export interface ServeMcpOptions {
  /** The agent as one tool that takes a message, or its tools. @default 'agent' */
  offer?: 'agent' | 'tools' | undefined;
  /** With `tools`: the only ones that are offered. @default all that need no others */
  tools?: readonly string[] | undefined;
  /** What clients know the server by. @default the agent's name */
  name?: string | undefined;
  /** @default the SDK's version */
  version?: string | undefined;
  /** What clients tell their models about the server. */
  instructions?: string | undefined;
  /** Admits a request over HTTP, on `true` only. Without it everybody is admitted who reaches the port. */
  authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined;
  /** The hosts that requests may be addressed to, so that no web page reaches the server by a name of its own. @default loopback */
  allowedHosts?: readonly string[] | undefined;
  /** How many clients may have a session over HTTP at once. @default 100 */
  maxSessions?: number | undefined;
  /** How long a session is kept without a request, in milliseconds; a call that runs keeps it. @default 1800000 */
  sessionIdleMs?: number | undefined;
  /** How long a tool may take unless it says so itself, in milliseconds. @default 900000 */
  toolTimeoutMs?: number | undefined;
}

const ServeOptionsSchema = z.strictObject({
  offer: z.enum(['agent', 'tools']).default('agent'),
  tools: z.array(z.string()).readonly().optional(),
  name: z.string().min(1).optional(),
  version: z.string().min(1).default(VERSION),
  instructions: z.string().optional(),
  authorize: z
    .custom<(request: Request) => boolean | Promise<boolean>>((value) => typeof value === 'function')
    .optional(),
  allowedHosts: z.array(z.string()).readonly().default([]),
  maxSessions: z.int().min(1).default(100),
  sessionIdleMs: durationMs.default(1_800_000),
  toolTimeoutMs: durationMs.default(900_000),
} satisfies ShapeOf<ServeMcpOptions>);

type ServeConfig = z.output<typeof ServeOptionsSchema>;

/**
 * Offers an agent or a swarm, or its tools, as an MCP server.
 *
 * @example
 * const service = serveMcp(agent);
 * http.createServer((request, response) => void service.handle(request, response)).listen(8080, '127.0.0.1');
 */
export function serveMcp(agent: ServableAgent, options?: ServeMcpOptions): MCPService {
  const given: unknown = agent;
  if (!(typeof given === 'object' && given !== null && 'listTools' in given && 'stream' in given))
    throw invalidOption('serveMcp', 'takes an agent or a swarm');
  return new MCPService(agent, checkOptions(ServeOptionsSchema, withoutNulls(options ?? {}), 'serveMcp'));
}

/** An agent as an MCP server: over HTTP with {@link MCPService.fetch} or {@link MCPService.handle}, or over standard input and output. */
export class MCPService implements AsyncDisposable {
  readonly #config: ServeConfig;
  readonly #offer: Offer;
  readonly #identity: ServerIdentity;
  readonly #logger = getLogger('svc.core.mcp.serve');
  readonly #sessions: HttpSessions;
  readonly #others = new Set<Server>();
  readonly #stopWatching: (() => void) | undefined;
  #isClosed = false;

  /** Services are made by {@link serveMcp}. */
  constructor(agent: ServableAgent, config: ServeConfig) {
    const { tools, toolTimeoutMs } = config;
    const parts = { tools, toolTimeoutMs, logger: this.#logger, runtime: systemRuntime };
    this.#config = config;
    this.#offer = config.offer === 'agent' ? offerAgent(agent, parts) : offerTools(agent, parts);
    this.#identity = {
      name: config.name ?? agent.name,
      version: config.version,
      instructions: config.instructions,
    };
    this.#sessions = new HttpSessions(config, async () => this.#createServer());
    this.#stopWatching = this.#offer.watchTools?.(() => this.#tellToolsChanged());
  }

  /** Answers a request of streamable HTTP, in any framework that has web-standard requests. */
  async fetch(request: Request): Promise<Response> {
    const host = request.headers.get('host') ?? new URL(request.url).host;
    const { authorize, allowedHosts } = this.#config;
    if (!isHostAllowed(host, request.headers.get('origin'), allowedHosts))
      return refuse(403, 'This host is not served.');
    if (authorize && !(await this.#isAdmitted(authorize, request)))
      return refuse(401, 'The request was not admitted.');
    return this.#sessions.handle(request);
  }

  /** Answers a request of Node's HTTP server; `parsedBody` is the body if a framework has read it. */
  async handle(incoming: IncomingMessage, outgoing: ServerResponse, parsedBody?: unknown): Promise<void> {
    await answerNodeRequest(async (request) => this.fetch(request), incoming, outgoing, parsedBody);
  }

  /** Serves the one client at standard input and output, until it leaves or the service is closed. Nothing else may write to standard output. */
  async serveStdio(): Promise<void> {
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
    const { server } = await this.#createServer();
    if (this.#isClosed) return;
    const left = Promise.withResolvers<void>();
    const leave = () => void server.close();
    server.onclose = () => left.resolve();
    process.stdin.once('end', leave);
    this.#others.add(server);
    try {
      await server.connect(new StdioServerTransport());
      await left.promise;
    } finally {
      process.stdin.off('end', leave);
      this.#others.delete(server);
    }
  }

  /** Ends every session. The agent stays open. Closing twice is fine. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatching?.();
    await Promise.all([this.#sessions.close(), ...[...this.#others].map(async (server) => server.close())]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #tellToolsChanged(): void {
    for (const server of [...this.#sessions.listServers(), ...this.#others]) {
      void server.sendToolListChanged().catch((error: unknown) => {
        // It sees them when it lists the tools the next time.
        this.#logger.debug('An MCP client could not be told of other tools.', { error });
      });
    }
  }

  async #createServer(): Promise<ProtocolServer> {
    return createProtocolServer(this.#offer, this.#identity, this.#logger);
  }

  async #isAdmitted(authorize: NonNullable<ServeConfig['authorize']>, request: Request): Promise<boolean> {
    try {
      return (await authorize(request)) === true;
    } catch (error) {
      this.#logger.error('authorize of serveMcp failed, so the request was not admitted.', { error });
      return false;
    }
  }
}
