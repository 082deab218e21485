import type { Server } from '@modelcontextprotocol/server';
import type { Logger } from '../../logging/logger.js';
import { TOOL_LOG_LEVELS } from '../../tools/reports/tool-reports.js';
import { askClient } from './ask-client.js';
import type { Caller, Offer } from './offer.js';

/** The identity of a server. */
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
}

/** The server of one session. */
export interface ProtocolServer {
  readonly server: Server;
  /** Whether a call is running. */
  isBusy(): boolean;
  /** Answers the running calls with an error, aborts them and ends the session. */
  close(): Promise<void>;
}

/** Creates the server of one session: the library implements the protocol, the offer does the work. */
export async function createProtocolServer(
  offer: Offer,
  identity: ServerIdentity,
  logger: Logger,
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
  let leastLevel = 0;
  // The library filters by level too, but only lines that do not belong to a call.
  server.setRequestHandler('logging/setLevel', ({ params }) => {
    leastLevel = TOOL_LOG_LEVELS.indexOf(params.level);
    return {};
  });
  const calls = new Set<string | number>();
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq, sessionId }) => {
    const progressToken = params._meta?.progressToken;
    const caller: Caller = {
      signal: mcpReq.signal,
      sessionId: sessionId ?? '',
      async reportProgress(progress) {
        if (progressToken === undefined) return;
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, ...progress },
        });
      },
      async reportLog({ level, message, source }) {
        if (TOOL_LOG_LEVELS.indexOf(level) < leastLevel) return;
        const named = source === undefined ? {} : { logger: source };
        await mcpReq.notify({
          method: 'notifications/message',
          params: { level, data: message, ...named },
        });
      },
      ask: async (question) => askClient(server, question, mcpReq.id, mcpReq.signal),
    };
    const called = offer.call(params.name, params.arguments ?? {}, caller);
    if (!called) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${params.name}'.`);
    calls.add(mcpReq.id);
    const { isError, text, structured } = await called.finally(() => {
      calls.delete(mcpReq.id);
      // The library does not respond to such a call, and would keep its stream and the connection as long as the session.
      if (mcpReq.signal.aborted && sessionId !== undefined)
        endCall(server, mcpReq.id, { code: -32800, message: 'The call was cancelled.' });
    });
    return {
      isError,
      content: [{ type: 'text' as const, text }],
      ...(structured ? { structuredContent: structured } : {}),
    };
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

function endCall({ transport }: Server, id: string | number, error: { code: number; message: string }): void {
  // The stream may be gone already, if the client has disconnected or the session has ended.
  transport?.send({ jsonrpc: '2.0', id, error }).catch(() => {});
}
