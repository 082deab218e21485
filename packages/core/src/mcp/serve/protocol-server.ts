import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Logger } from '../../logging/logger.js';
import { askClient } from './ask-client.js';
import type { Caller, Offer } from './offer.js';

/** What a server says of itself. */
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
}

/** The server of one session: the library speaks the protocol, the offer does the work. */
export async function createProtocolServer(
  offer: Offer,
  identity: ServerIdentity,
  logger: Logger,
): Promise<Server> {
  const [{ Server }, protocol] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const { name, version, instructions } = identity;
  const server = new Server(
    { name, version },
    { capabilities: { tools: {}, logging: {} }, ...(instructions === undefined ? {} : { instructions }) },
  );
  server.onerror = (error) => logger.debug('A session of an MCP client had an error.', { error });
  server.setRequestHandler(protocol.ListToolsRequestSchema, () => ({
    tools: offer.listTools().map((tool) => ({ ...tool })),
  }));
  server.setRequestHandler(protocol.CallToolRequestSchema, async ({ params }, extra) => {
    const progressToken = params._meta?.progressToken;
    const caller: Caller = {
      signal: extra.signal,
      sessionId: extra.sessionId ?? '',
      async reportProgress(progress) {
        if (progressToken === undefined) return;
        await extra.sendNotification({
          method: 'notifications/progress',
          params: { progressToken, ...progress },
        });
      },
      async reportLog({ level, message, source }) {
        const named = source === undefined ? {} : { logger: source };
        await extra.sendNotification({
          method: 'notifications/message',
          params: { level, data: message, ...named },
        });
      },
      ask: async (question) => askClient(server, question, extra.requestId, extra.signal),
    };
    const called = offer.call(params.name, params.arguments ?? {}, caller);
    if (!called)
      throw new protocol.McpError(protocol.ErrorCode.InvalidParams, `There is no tool '${params.name}'.`);
    const { isError, text, structured } = await called;
    return {
      isError,
      content: [{ type: 'text' as const, text }],
      ...(structured ? { structuredContent: structured } : {}),
    };
  });
  return server;
}
