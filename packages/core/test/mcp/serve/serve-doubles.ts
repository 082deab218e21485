import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { ServableAgent } from '../../../src/mcp/serve/offers/servable-agent.js';
import { serveMcp, type MCPService, type ServeMcpOptions } from '../../../src/mcp/serve/serve-mcp.js';
import { connectTo } from '../mcp-doubles.js';

/** Starts a Node.js HTTP server for a service; returns its URL. */
async function listen(service: MCPService): Promise<string> {
  const server = createServer((request, response) => void service.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await service.close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`;
}

/** Serves an agent; returns the URL, the service, and our own client for it. */
export async function serve(agent: ServableAgent, options: ServeMcpOptions = {}) {
  const service = serveMcp(agent, options);
  const url = await listen(service);
  return { url, service, server: connectTo({ name: 'served', url, prefix: '' }) };
}

/** Connects a client of the official library; it supports questions with `answer`, and notifications after `listening`. */
export async function connectClient(
  url: string,
  answer?: (form: unknown) => ElicitResult | Promise<ElicitResult>,
): Promise<{ client: Client; lines: unknown[]; listening: Promise<void> }> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: answer ? { elicitation: { form: {} } } : {} },
  );
  const lines: unknown[] = [];
  if (answer) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answer(params));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void lines.push(params));
  const listening = Promise.withResolvers<void>();
  const request: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method === 'GET') listening.resolve();
    return response;
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: request }));
  onTestFinished(async () => client.close());
  return { client, lines, listening: listening.promise };
}
