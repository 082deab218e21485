import { setImmediate } from 'node:timers/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Logger } from '../../../logging/logger.js';
import { HeldCalls } from '../calls/held-calls.js';
import type { CallHolder } from '../calls/call-held.js';
import type { ProtocolServer } from '../protocol-server.js';
import { refuseClosed } from './refuse.js';
import type { SessionLimits } from '../calls/session-limits.js';

/** The requests of clients without sessions over streamable HTTP, which is how version 2026-07-28 of the protocol works. */
export class HttpRequests {
  readonly #limits: SessionLimits;
  readonly #createServer: (holder: CallHolder) => Promise<ProtocolServer>;
  readonly #logger: Logger;
  readonly #calls: HeldCalls;
  #handler: McpHttpHandler | undefined;
  #isNotifying = false;

  constructor(
    limits: SessionLimits,
    createServer: (holder: CallHolder) => Promise<ProtocolServer>,
    logger: Logger,
  ) {
    this.#limits = limits;
    this.#createServer = createServer;
    this.#logger = logger;
    this.#calls = new HeldCalls(limits);
  }

  /** Handles an admitted request of a client. */
  async handle(request: Request, owner: string, parsedBody: unknown): Promise<Response> {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    if (this.#calls.isClosed) return refuseClosed();
    this.#handler ??= createMcpHandler(async ({ authInfo }) => this.#serve(authInfo?.clientId ?? ''), {
      legacy: 'reject',
      // A response that began at once outlasts the time that clients and proxies wait for its first byte.
      responseMode: 'sse',
      maxSubscriptions: this.#limits.maxSessions,
      onerror: (error) => this.#logger.debug('A request of an MCP client had an error.', { error }),
    });
    const authInfo = { token: '', clientId: owner, scopes: [] };
    return this.#handler.fetch(request, { authInfo, parsedBody });
  }

  /** Notifies the clients that subscribed to changes of tools. Changes that are made together count as one. */
  notifyToolsChanged(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    queueMicrotask(() => {
      this.#isNotifying = false;
      this.#handler?.notify.toolsChanged();
    });
  }

  /** Ends every call with an error. Closing twice is safe. */
  async close(): Promise<void> {
    this.#calls.close();
    // The library sends the errors of the calls before it closes their responses.
    await setImmediate();
    await this.#handler?.close();
  }

  async #serve(owner: string) {
    return (await this.#createServer({ calls: this.#calls, owner })).server;
  }
}
