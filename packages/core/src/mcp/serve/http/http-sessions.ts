import { randomUUID } from 'node:crypto';
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { isSameOwner } from '../calls/owner.js';
import type { ProtocolServer } from '../protocol-server.js';
import { readMessages } from './read-messages.js';
import { refuse, refuseClosed } from './refuse.js';
import type { SessionLimits } from '../calls/session-limits.js';

interface HttpSession extends ProtocolServer {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** The client that opened the session: nobody else can continue it. */
  readonly owner: string;
  idle: NodeJS.Timeout | undefined;
}

/** The header with the id of a session. */
export const SESSION_HEADER = 'mcp-session-id';

/** The sessions of clients over streamable HTTP. */
export class HttpSessions {
  readonly #limits: SessionLimits;
  readonly #createServer: () => Promise<ProtocolServer>;
  readonly #sessions = new Map<string, HttpSession>();
  #opening = 0;
  #isClosed = false;

  constructor(limits: SessionLimits, createServer: () => Promise<ProtocolServer>) {
    this.#limits = limits;
    this.#createServer = createServer;
  }

  /** Handles an admitted request of a client; one that opens a session may come with its messages. */
  async handle(request: Request, owner: string, parsedBody?: unknown): Promise<Response> {
    if (this.#isClosed) return refuseClosed();
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) return this.#open(request, owner, parsedBody);
    const session = this.#sessions.get(id);
    // An unknown session and somebody else's must look the same.
    if (!session || !isSameOwner(session.owner, owner)) return refuse(404, 'Session not found.');
    this.#touch(id, session);
    const messages = await readMessages(request);
    return messages instanceof Response ? messages : session.transport.handleRequest(request, messages);
  }

  /** Returns the servers of the open sessions. */
  list(): readonly ProtocolServer[] {
    return [...this.#sessions.values()];
  }

  /** Ends every session. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions.keys()].map(async (id) => this.#end(id)));
  }

  async #open(request: Request, owner: string, parsedBody: unknown): Promise<Response> {
    if (this.#sessions.size + this.#opening >= this.#limits.maxSessions) {
      return refuse(503, 'Too many sessions.', { 'retry-after': '10' });
    }
    this.#opening += 1;
    try {
      const { WebStandardStreamableHTTPServerTransport } = await import('@modelcontextprotocol/server');
      const protocol = await this.#createServer();
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => this.#add(id, { ...protocol, transport, owner, idle: undefined }),
        onsessionclosed: async (id) => this.#end(id),
      });
      await protocol.server.connect(transport);
      const response = await transport.handleRequest(request, { parsedBody });
      // A request that did not open a session does not need its server any more.
      if (transport.sessionId === undefined) await protocol.close();
      else if (this.#isClosed) await this.#end(transport.sessionId);
      return this.#isClosed ? refuseClosed() : response;
    } finally {
      this.#opening -= 1;
    }
  }

  #add(id: string, session: HttpSession): void {
    this.#sessions.set(id, session);
    this.#touch(id, session);
  }

  #touch(id: string, session: HttpSession): void {
    clearTimeout(session.idle);
    const onIdle = () => (session.isBusy() ? this.#touch(id, session) : void this.#end(id));
    session.idle = setTimeout(onIdle, this.#limits.sessionIdleMs).unref();
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (!session) return;
    this.#sessions.delete(id);
    clearTimeout(session.idle);
    await session.close();
  }
}
