import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { checkOptions, invalidOption, kindOf, withoutNulls, type ShapeOf } from '../../config/options.js';
import { MAX_TIMER_MS } from '../../deadline.js';
import { getLogger } from '../../logging/logger.js';
import { systemRuntime } from '../../runtime.js';
import { VERSION } from '../../version.js';
import { isHostAllowed } from './http/allowed-hosts.js';
import type { CallHolder } from './calls/call-held.js';
import { admit, type Authorize } from './http/admit.js';
import { HttpRequests } from './http/http-requests.js';
import { HttpSessions, SESSION_HEADER } from './http/http-sessions.js';
import { answerNodeRequest } from './http/node-listener.js';
import { offerAgent } from './offers/offer-agent.js';
import type { Offer } from './offers/offer.js';
import { offerTools } from './offers/offer-tools.js';
import { createProtocolServer, type ProtocolServer, type ServerIdentity } from './protocol-server.js';
import { readMessages } from './http/read-messages.js';
import { refuse } from './http/refuse.js';
import type { ServableAgent } from './offers/servable-agent.js';
import { StdioConnection } from './stdio-connection.js';

const durationMs = z.number().positive().max(MAX_TIMER_MS);

/** Options of {@link serveMcp}. */
export interface ServeMcpOptions {
  /** Whether to offer the agent as one tool with a message as its argument, or the agent's tools. @default 'agent' */
  offer?: 'agent' | 'tools' | undefined;
  /** With `offer: 'tools'`, an allow-list of tools. @default all tools that do not depend on others */
  tools?: readonly string[] | undefined;
  /** The name of the server for clients. @default the agent's name */
  name?: string | undefined;
  /** The version of the server for clients. @default the SDK's version */
  version?: string | undefined;
  /** Instructions for the clients' models. */
  instructions?: string | undefined;
  /**
   * Admits a request over HTTP only if it returns `true` or the id of its client; sessions and waiting calls belong to that
   * client, else to the `Authorization` header. A response is sent instead; anything else is status 401. Without it,
   * everyone who can reach the port is admitted.
   */
  authorize?: Authorize | undefined;
  /** Hosts to which requests may be addressed, besides loopback, against DNS rebinding by web pages. @default none */
  allowedHosts?: readonly string[] | undefined;
  /**
   * The maximum number of concurrent sessions over HTTP; of clients without sessions, that of calls waiting for answers
   * and that of subscriptions. @default 100
   */
  maxSessions?: number | undefined;
  /**
   * How long a session is kept without a request, in milliseconds, and what a client without one has not come back for; a
   * running call keeps both. @default 1800000
   */
  sessionIdleMs?: number | undefined;
  /** The default time limit of a tool call, in milliseconds; a tool can set its own. @default 900000 */
  toolTimeoutMs?: number | undefined;
}

const ServeOptionsSchema = z.strictObject({
  offer: z.enum(['agent', 'tools']).default('agent'),
  tools: z.array(z.string()).readonly().optional(),
  name: z.string().min(1).optional(),
  version: z.string().min(1).default(VERSION),
  instructions: z.string().optional(),
  authorize: z.custom<Authorize>((value) => typeof value === 'function', 'must be a function').optional(),
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
  const target: unknown = agent;
  if (!(typeof target === 'object' && target !== null && 'listTools' in target && 'stream' in target))
    throw invalidOption('serveMcp', `expects an agent or a swarm, got ${kindOf(target)}`);
  return new MCPService(agent, checkOptions(ServeOptionsSchema, withoutNulls(options ?? {}), 'serveMcp'));
}

/**
 * An agent as an MCP server, over HTTP with {@link MCPService.fetch} or {@link MCPService.handle}, or over standard
 * input and output.
 */
export class MCPService implements AsyncDisposable {
  readonly #config: ServeConfig;
  readonly #offer: Offer;
  readonly #identity: ServerIdentity;
  readonly #logger = getLogger('svc.core.mcp.serve');
  readonly #sessions: HttpSessions;
  readonly #requests: HttpRequests;
  readonly #connections = new Set<StdioConnection>();
  readonly #stopWatching: (() => void) | undefined;
  #isClosed = false;

  /** Use {@link serveMcp} to create a service. */
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
    this.#requests = new HttpRequests(config, async (holder) => this.#createServer(holder), this.#logger);
    this.#stopWatching = this.#offer.watchTools?.(() => this.#notifyToolsChanged());
  }

  /** Handles a request of streamable HTTP, in any framework with web-standard requests. */
  async fetch(request: Request): Promise<Response> {
    const host = request.headers.get('host') ?? new URL(request.url).host;
    const { authorize, allowedHosts } = this.#config;
    if (!isHostAllowed(host, request.headers.get('origin'), allowedHosts))
      return refuse(403, 'This host is not allowed; add it to allowedHosts.');
    const owner = await admit(request, authorize, this.#logger);
    if (owner instanceof Response) return owner;
    // A body that somebody has read cannot be looked into; the sessions refuse it.
    const isUnreadable = request.bodyUsed || request.body?.locked === true;
    if (request.headers.has(SESSION_HEADER) || isUnreadable) return this.#sessions.handle(request, owner);
    const messages = await readMessages(request);
    if (messages instanceof Response) return messages;
    const { parsedBody } = messages;
    const { isLegacyRequest } = await import('@modelcontextprotocol/server');
    const handler = (await isLegacyRequest(request, parsedBody)) ? this.#sessions : this.#requests;
    return handler.handle(request, owner, parsedBody);
  }

  /**
   * Handles a request of a Node.js HTTP server; pass `parsedBody` if a framework has already read the body. Never rejects:
   * a failure is logged and answered with 500, or ends the connection if the response has begun.
   */
  async handle(incoming: IncomingMessage, outgoing: ServerResponse, parsedBody?: unknown): Promise<void> {
    try {
      await answerNodeRequest(async (request) => this.fetch(request), incoming, outgoing, parsedBody);
    } catch (error) {
      this.#logger.error('A request over HTTP could not be handled.', { error });
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    }
  }

  /**
   * Serves one client over standard input and output, until it disconnects or the service is closed. Nothing else may
   * write to standard output.
   */
  async serveStdio(): Promise<void> {
    const createServer = async (holder?: CallHolder) => this.#createServer(holder);
    const connection = new StdioConnection(this.#config, createServer, this.#logger);
    if (this.#isClosed) return;
    this.#connections.add(connection);
    try {
      await connection.serve();
    } finally {
      this.#connections.delete(connection);
    }
  }

  /** Ends every session, with an error for running calls; the agent stays open. Closing twice is safe. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatching?.();
    await Promise.all([
      this.#sessions.close(),
      this.#requests.close(),
      ...[...this.#connections].map(async (connection) => connection.close()),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #notifyToolsChanged(): void {
    this.#requests.notifyToolsChanged();
    const connected = [...this.#connections].flatMap(({ server }) => server ?? []);
    for (const { server } of [...this.#sessions.list(), ...connected]) {
      void server.sendToolListChanged().catch((error: unknown) => {
        // The client sees the change when it next lists the tools.
        this.#logger.debug('An MCP client could not be notified of changed tools.', { error });
      });
    }
  }

  async #createServer(holder?: CallHolder): Promise<ProtocolServer> {
    return createProtocolServer(this.#offer, this.#identity, this.#logger, holder);
  }
}
