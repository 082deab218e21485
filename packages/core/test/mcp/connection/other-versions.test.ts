import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../http-server.js';
import { callTool, connectTo } from '../mcp-doubles.js';

const errorOf = (code: number) => ({ jsonrpc: '2.0', id: 0, error: { code, message: 'No' } });

interface Answer {
  /** Zero for a connection that breaks. */
  readonly status?: number;
  readonly body?: object | undefined;
}

/**
 * Starts a server for the version of the protocol without a handshake, and records the methods that are called. `refuse`
 * answers a method in another way.
 */
async function startStatelessServer(
  refuse: (method: string, calls: readonly string[]) => Answer | undefined,
) {
  const methods: string[] = [];
  const results: Readonly<Record<string, object>> = {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    'tools/list': {
      tools: [{ name: 'do_it', inputSchema: { type: 'object' } }],
      ttlMs: 60_000,
      cacheScope: 'private',
    },
    'tools/call': { content: [] },
  };
  const server = await startServer((request, response) => {
    void (async () => {
      const { id, method } = JSON.parse(await text(request));
      methods.push(method);
      const result = { resultType: 'complete', ...results[method] };
      const { status = 200, body = {} } = refuse(method, methods) ?? { body: { jsonrpc: '2.0', result } };
      if (status === 0) return response.destroy();
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...body, id }));
    })();
  });
  onTestFinished(async () => server[Symbol.asyncDispose]());
  return { url: `${server.url}/mcp`, methods };
}

const refuseHandshake = (answer: Answer) => (method: string) =>
  method === 'initialize' ? answer : undefined;

it.each<[string, Answer]>([
  ['its versions', { status: 400, body: errorOf(-32022) }],
  ['missing headers', { status: 400, body: errorOf(-32020) }],
  ['a bad request', { status: 400 }],
  ['an unknown method, as the protocol wants it', { status: 404, body: errorOf(-32601) }],
  ['an unknown method', { body: errorOf(-32601) }],
  ['missing parameters', { body: errorOf(-32602) }],
  ['an invalid request', { body: errorOf(-32600) }],
])('a server that answers the handshake with %s is asked without', async (_what, answer) => {
  const remote = await startStatelessServer(refuseHandshake(answer));
  const server = connectTo({ name: 'new', url: remote.url });
  expect(await server.listTools()).toHaveLength(1);
  expect(remote.methods).toEqual(['initialize', 'server/discover', 'tools/list']);
});

it.each<[string, Answer]>([
  ['MCP_HTTP_404', { status: 404 }],
  ['MCP_HTTP_405', { status: 405 }],
  ['MCP_HTTP_503', { status: 503, body: errorOf(-32601) }],
  ['MCP_UNAUTHORIZED', { status: 401 }],
  ['MCP_INTERNAL_ERROR', { body: errorOf(-32603) }],
  ['MCP_SERVER_ERROR', { body: errorOf(-32000) }],
])('a server that answers the handshake with %s is not', async (code, answer) => {
  const remote = await startStatelessServer(refuseHandshake(answer));
  await expect(connectTo({ name: 'old', url: remote.url }).connect()).rejects.toMatchObject({ code });
  expect(remote.methods).toEqual(['initialize']);
});

it('a server that refuses both is reported with its first refusal', async () => {
  const remote = await startStatelessServer((method) => ({
    body: errorOf(method === 'initialize' ? -32602 : -32601),
  }));
  await expect(connectTo({ name: 'old', url: remote.url }).connect()).rejects.toMatchObject({
    code: 'MCP_INVALID_PARAMS',
  });
  expect(remote.methods).toEqual(['initialize', 'server/discover']);
});

it.each<[string, Answer]>([
  ['MCP_HTTP_503', { status: 503 }],
  ['MCP_CONNECTION_LOST', { status: 0 }],
])('a server that names its versions, and then fails, is reported with %s', async (code, answer) => {
  const remote = await startStatelessServer((method) =>
    method === 'initialize' ? { status: 400, body: errorOf(-32022) } : answer,
  );
  await expect(connectTo({ name: 'new', url: remote.url }).connect()).rejects.toMatchObject({
    code,
    isRetryable: true,
  });
});

it('a server that was used without a handshake is first asked without one when it is connected again', async () => {
  const lost = { status: 404 };
  const calls = (methods: readonly string[]) => methods.filter((method) => method === 'tools/call').length;
  const remote = await startStatelessServer((method, methods) => {
    if (method === 'initialize') return { status: 400 };
    return method === 'tools/call' && calls(methods) === 1 ? lost : undefined;
  });
  const server = connectTo({ name: 'new', url: remote.url, reconnect: { baseMs: 0 } });
  const tools = await server.listTools();
  await callTool(tools, '__do_it');
  const call = ['server/discover', 'tools/list', 'tools/call', 'server/discover', 'tools/call'];
  expect(remote.methods).toEqual(['initialize', ...call]);
});

it('a server that was replaced by an older version is used with a handshake', async () => {
  const methods = ['initialize', 'server/discover', 'tools/list', 'tools/call'];
  const result = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 'old', version: '1' },
  };
  const remote = await startStatelessServer((method, called) => {
    if (called.length <= methods.length)
      return method === 'initialize'
        ? { status: 400 }
        : method === 'tools/call'
          ? { status: 404 }
          : undefined;
    if (method === 'initialize') return { body: { jsonrpc: '2.0', result } };
    return method === 'server/discover' ? { body: errorOf(-32601) } : undefined;
  });
  const server = connectTo({ name: 'new', url: remote.url, reconnect: { baseMs: 0 } });
  await callTool(await server.listTools(), '__do_it');
  expect(remote.methods).toEqual([
    ...methods,
    'server/discover',
    'initialize',
    'notifications/initialized',
    'tools/call',
  ]);
});
