import { setImmediate } from 'node:timers/promises';
import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../../logging/logger.js';
import type { CallHolder } from './calls/call-held.js';
import { HeldCalls } from './calls/held-calls.js';
import { ownerOf } from './calls/owner.js';
import type { ProtocolServer } from './protocol-server.js';
import type { SessionLimits } from './calls/session-limits.js';

/** A client over standard input and output, whose first message tells whether it has a session. */
export class StdioConnection {
  readonly #createServer: (holder?: CallHolder) => Promise<ProtocolServer>;
  readonly #logger: Logger;
  readonly #calls: HeldCalls;
  #handle: StdioServerHandle | undefined;
  #server: ProtocolServer | undefined;

  constructor(
    limits: SessionLimits,
    createServer: (holder?: CallHolder) => Promise<ProtocolServer>,
    logger: Logger,
  ) {
    this.#calls = new HeldCalls(limits);
    this.#createServer = createServer;
    this.#logger = logger;
  }

  /** The client's server; undefined before its first message. */
  get server(): ProtocolServer | undefined {
    return this.#server;
  }

  /** Serves the client until it disconnects or the connection is closed. */
  async serve(): Promise<void> {
    const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
    if (this.#calls.isClosed) return;
    const transport = new StdioServerTransport();
    const disconnected = Promise.withResolvers<void>();
    this.#handle = serveStdio(async ({ era }) => this.#open(era === 'modern'), {
      transport,
      onerror: (error) => this.#logger.debug('A session of an MCP client had an error.', { error }),
    });
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      disconnected.resolve();
    };
    await disconnected.promise;
    this.#calls.close();
  }

  /** Answers the running calls with an error, and disconnects. Closing twice is safe. */
  async close(): Promise<void> {
    this.#calls.close();
    // The library sends the errors of the calls before it disconnects.
    await setImmediate();
    await this.#server?.close();
    await this.#handle?.close();
  }

  async #open(isStateless: boolean) {
    const holder = { calls: this.#calls, owner: ownerOf('stdio', '') };
    // A client that asked for the versions first gets another server if it then opens a session.
    this.#server = await (isStateless ? this.#createServer(holder) : this.#createServer());
    return this.#server.server;
  }
}
