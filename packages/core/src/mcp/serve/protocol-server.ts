import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Logger } from '../../logging/logger.js';
import { askClient } from './calls/ask-client.js';
import { callHeld, type CallHolder } from './calls/call-held.js';
import { toCallResult, type ToolCall } from './calls/tool-call.js';
import type { Offer } from './offers/offer.js';

/** The identity of a server. */
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
}

/** The server of one session, or of one request of a client without a session. */
export interface ProtocolServer {
  readonly server: Server;
  /** Whether a call of the session is running. */
  isBusy(): boolean;
  /** Answers the running calls of the session with an error, aborts them and ends the session. */
  close(): Promise<void>;
}

/**
 * Creates the server of one session or, with a holder, the server of one request of a client without a session: the
 * library implements the protocol, the offer does the work.
 */
export async function createProtocolServer(
  offer: Offer,
  identity: ServerIdentity,
  logger: Logger,
  holder?: CallHolder,
): Promise<ProtocolServer> {
  const { ProtocolError, ProtocolErrorCode, Server } = await import('@modelcontextprotocol/server');
  const { name, version, instructions } = identity;
  const server = new Server(
    { name, version },
    {
      capabilities: { tools: offer.watchTools ? { listChanged: true } : {}, logging: {} },
      // Tools that are added together count as one change.
      debouncedNotificationMethods: ['notifications/tools/list_changed'],
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  server.onerror = (error) => logger.debug('A session of an MCP client had an error.', { error });
  server.setRequestHandler('tools/list', () => ({
    tools: offer.listTools().map((tool) => ({ ...tool })),
  }));
  const calls = new Set<string | number>();
  const callInSession = async (call: ToolCall, { mcpReq, sessionId }: ServerContext) => {
    const { id, signal } = mcpReq;
    const called = offer.call(call.name, call.args, {
      ...call.reports,
      signal,
      sessionId: sessionId ?? '',
      ask: async (question) => askClient(server, question, id, signal),
    });
    if (!called) return undefined;
    calls.add(id);
    const result = await called.finally(() => {
      calls.delete(id);
      // The library does not respond to such a call, and would keep its stream and the connection as long as the session.
      if (signal.aborted && sessionId !== undefined)
        endCall(server, id, { code: -32800, message: 'The call was cancelled.' });
    });
    return toCallResult(result);
  };
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { mcpReq } = context;
    const call = { name: params.name, args: params.arguments ?? {}, reports: reportTo(mcpReq, params) };
    const result = await (holder ? callHeld(offer, holder, call, mcpReq) : callInSession(call, context));
    if (result) return result;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${params.name}'.`);
  });
  return {
    server,
    isBusy: () => calls.size > 0,
    async close() {
      // Without a response, the client waits until its time limit.
      const error = { code: -32000, message: 'Connection closed' };
      for (const id of calls) endCall(server, id, error);
      await server.close();
    },
  };
}

/** Sends the reports of a call to its client, which chooses whether it wants progress, and the level of log lines. */
function reportTo(
  mcpReq: ServerContext['mcpReq'],
  { _meta: meta }: { readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined },
): ToolCall['reports'] {
  const progressToken = meta?.progressToken;
  return {
    async reportProgress(progress) {
      if (progressToken === undefined) return;
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } });
    },
    reportLog: async ({ level, message, source }) => mcpReq.log(level, message, source),
  };
}

function endCall({ transport }: Server, id: string | number, error: { code: number; message: string }): void {
  // The stream may be gone already, if the client has disconnected or the session has ended.
  transport?.send({ jsonrpc: '2.0', id, error }).catch(() => {});
}
