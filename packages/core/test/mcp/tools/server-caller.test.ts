import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { MCPError } from '../../../src/mcp/errors.js';
import { startHttpServer, startRawServer } from '../http-servers.js';
import { callTool, connectTo, createContext } from '../mcp-doubles.js';

/** Returns the error of a call without its cause, which contains sockets that take minutes to print. */
async function failureOf(call: Promise<unknown>) {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!(error instanceof MCPError)) throw new TypeError('The call did not fail with an MCPError');
  const { code, message, isRetryable, details } = error;
  return { code, message, isRetryable, details };
}

async function connectToRaw(
  answerCall: (response: ServerResponse) => unknown,
  more: { callTimeoutMs?: number } = {},
) {
  const { url, calls } = await startRawServer(answerCall);
  return { tools: await connectTo({ name: 'raw', url, ...more }).listTools(), calls };
}

describe('a call whose response is lost', () => {
  it.each<[string, string, (response: ServerResponse) => unknown]>([
    ['the connection breaks', 'MCP_CONNECTION_LOST', (response) => response.destroy()],
    [
      'the connection is reset',
      'MCP_CONNECTION_LOST',
      ({ socket }) => socket instanceof Socket && socket.resetAndDestroy(),
    ],
    [
      'the connection breaks within the response',
      'MCP_CONNECTION_LOST',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .write('{"jsonrpc":', () => response.destroy()),
    ],
    [
      'the response is not HTTP',
      'MCP_CONNECTION_LOST',
      ({ socket }) => socket?.end('HTPT/1.1 200 OK\r\n\r\n'),
    ],
    [
      'the headers are too large',
      'MCP_CONNECTION_LOST',
      ({ socket }) => socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`),
    ],
    [
      'the response cannot be decompressed',
      'MCP_CONNECTION_LOST',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end('nonsense'),
    ],
    ['the server fails', 'MCP_HTTP_500', (response) => response.writeHead(500).end()],
    ['a proxy gets no response', 'MCP_HTTP_502', (response) => response.writeHead(502).end()],
    ['a proxy times out', 'MCP_HTTP_504', (response) => response.writeHead(504).end()],
  ])(
    'may have taken effect and is not retryable, unless the tool only reads: %s',
    async (_what, code, answerCall) => {
      const { tools, calls } = await connectToRaw(answerCall);
      expect(await failureOf(callTool(tools, '__change'))).toEqual({
        code,
        message: expect.stringMatching(/It may have taken effect\.$/),
        isRetryable: false,
        details: { server: 'raw', outcome: 'unknown' },
      });
      expect(await failureOf(callTool(tools, '__look'))).toMatchObject({ code, isRetryable: true });
      expect(calls).toEqual(['change', 'look']);
    },
  );
});

describe('a call that the server did not start', () => {
  it.each([429, 503])('is retryable even if the tool writes: status %i', async (status) => {
    const { tools } = await connectToRaw((response) => response.writeHead(status).end());
    expect(await failureOf(callTool(tools, '__change'))).toEqual({
      code: `MCP_HTTP_${status}`,
      message: `The MCP server 'raw' responded with status ${status} while calling 'change'.`,
      isRetryable: true,
      details: { server: 'raw' },
    });
  });
});

it.each([
  ['not JSON', { 'content-type': 'application/json' }],
  ['a web page', { 'content-type': 'text/html' }],
  ['of no type', {}],
])('a response that is %s violates the protocol', async (_what, headers) => {
  const { tools } = await connectToRaw((response) => response.writeHead(200, headers).end('nonsense'));
  expect(await failureOf(callTool(tools, '__change'))).toMatchObject({
    code: 'MCP_PROTOCOL_VIOLATION',
    isRetryable: false,
  });
});

it('a call of a read-only tool that is silent for too long is retryable', async () => {
  const { tools } = await connectToRaw(() => {}, { callTimeoutMs: 100 });
  expect(await failureOf(callTool(tools, '__look'))).toEqual({
    code: 'MCP_TIMEOUT',
    message: "'look' of the MCP server 'raw' was silent for 100 ms.",
    isRetryable: true,
    details: { server: 'raw', timeout_ms: 100 },
  });
});

it('a call that gets a 404 again in a new session fails without a third attempt', async () => {
  const { tools, calls } = await connectToRaw((response) => response.writeHead(404).end());
  expect(await failureOf(callTool(tools, '__change'))).toMatchObject({ code: 'MCP_HTTP_404' });
  expect(calls).toHaveLength(2);
});

it('a cancelled call rejects with the reason itself', async () => {
  const started = Promise.withResolvers<void>();
  const { tools } = await connectToRaw(() => started.resolve());
  const stop = new AbortController();
  const { context } = createContext({ signal: stop.signal });
  const call = callTool(tools, '__change', {}, { context });
  await started.promise;
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(call).rejects.toBe(reason);
});

it('a completed call leaves no listener on the signal of its run', async () => {
  const remote = await startHttpServer();
  const tools = await connectTo({ name: 'web', url: remote.url }).listTools();
  const { signal } = new AbortController();
  const { context } = createContext({ signal });
  await callTool(tools, '__greet', { name: 'Ada' }, { context });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
