import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { onTestFinished } from 'vitest';
import * as z from 'zod';

/** Starts a streamable HTTP server of the official library that records its requests. It stops when the test ends. */
export async function startHttpServer(
  options: { port?: number; allow?: (request: IncomingMessage) => number | 'silence' | undefined } = {},
) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: { method: string; headers: IncomingMessage['headers'] }[] = [];
  const cancelled: string[] = [];
  const withdrawal = new AbortController();
  const server = createServer((request, response) => {
    void (async () => {
      requests.push({ method: request.method ?? '', headers: request.headers });
      const refusal = options.allow?.(request);
      if (refusal === 'silence') return;
      if (refusal !== undefined) return void response.writeHead(refusal).end('refused; your key is wrong');
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && !known)
        return void response
          .writeHead(404)
          .end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
      await (known ?? (await openSession(sessions, { cancelled, withdrawal }))).handleRequest(
        request,
        response,
      );
    })();
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(stop);
  return {
    port: portOf(server),
    url: `http://127.0.0.1:${portOf(server)}/mcp`,
    requests,
    cancelled,
    sessions,
    stop,
    /** Withdraws the first question of the tool `ask_twice`. */
    withdraw: () => withdrawal.abort(),
    /** Forgets every session, like a restarted server. */
    forget: () => sessions.clear(),
  };
}

/** Starts a handwritten streamable HTTP server without sessions. `answerCall` responds to calls of its two tools. */
export async function startRawServer(
  answerCall: (response: ServerResponse, id: unknown) => void,
  resume?: (lastEventId: unknown, response: ServerResponse) => void,
) {
  const calls: unknown[] = [];
  const answers: unknown[] = [];
  const inputSchema = { type: 'object' };
  const tools = [
    { name: 'change', inputSchema },
    { name: 'look', inputSchema, annotations: { readOnlyHint: true } },
  ];
  const server = createServer((request, response) => {
    void (async () => {
      const lastEventId = request.headers['last-event-id'];
      if (resume && lastEventId !== undefined) return resume(lastEventId, response);
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method, params } = RawRequestSchema.parse(await json(request));
      const answer = (result: unknown) =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      // An answer to a request of this server, which does not take it.
      if (method === undefined) return void answers.push(id);
      if (method === 'initialize') {
        const { protocolVersion } = params;
        return void answer({
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'raw', version: '1' },
        });
      }
      if (method === 'tools/list') return void answer({ tools });
      if (method === 'server/discover') return void response.writeHead(400).end();
      if (method !== 'tools/call') return void response.writeHead(202).end();
      calls.push(params['name']);
      answerCall(response, id);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${portOf(server)}/mcp`, calls, answers };
}

const RawRequestSchema = z.object({
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
});

interface ToolState {
  readonly cancelled: string[];
  readonly withdrawal: AbortController;
}

async function openSession(sessions: Map<string, StreamableHTTPServerTransport>, state: ToolState) {
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  const server = createTools(state);
  await server.connect(transport);
  return transport;
}

function createTools({ cancelled, withdrawal }: ToolState): McpServer {
  const server = new McpServer({ name: 'http', version: '1' }, { capabilities: { logging: {} } });
  server.registerTool('greet', { description: 'Greet', inputSchema: { name: z.string() } }, ({ name }) => ({
    content: [{ type: 'text', text: `Hello ${name}` }],
  }));
  server.registerTool('slow', { description: 'Slow' }, async (extra) => {
    await extra.sendNotification({
      method: 'notifications/message',
      params: { level: 'info', data: { step: 'begun' } },
    });
    await new Promise<void>((resolve) =>
      extra.signal.addEventListener('abort', () => {
        cancelled.push('slow');
        resolve();
      }),
    );
    return { content: [] };
  });
  const ask = async (message: string, signal?: AbortSignal) => {
    const properties = { sure: { type: 'boolean' } } as const;
    const requestedSchema = { type: 'object', properties, required: ['sure'] } as const;
    return server.server.elicitInput(
      { message, requestedSchema: { ...requestedSchema, required: ['sure'] } },
      { signal },
    );
  };
  server.registerTool('ask', { description: 'Ask' }, async () => {
    return { content: [{ type: 'text', text: JSON.stringify(await ask('Really?')) }] };
  });
  server.registerTool('ask_twice', { description: 'Ask twice' }, async () => {
    // The library ignores the cancellation of a server's first request, whose id is 0.
    await server.server.ping();
    await ask('First?', withdrawal.signal).catch(() => undefined);
    return { content: [{ type: 'text', text: JSON.stringify(await ask('Second?')) }] };
  });
  server.registerTool('large', { description: 'Large' }, () => ({
    content: [{ type: 'text', text: 'x'.repeat(200_000) }],
  }));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return address.port;
}
