import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { MCPError } from '../../../src/mcp/errors.js';
import { startHttpServer, startRawServer } from '../http-servers.js';
import { callTool, connectTo, createContext } from '../mcp-doubles.js';

/** What a call fails with, without its cause, which holds sockets that take minutes to print. */
async function failureOf(call: Promise<unknown>) {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!(error instanceof MCPError)) throw new TypeError('it did not fail with an MCPError');
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

describe('a call whose answer is lost on its way', () => {
  it.each<[string, string, (response: ServerResponse) => unknown]>([
    ['the connection breaks', 'MCP_CONNECTION_LOST', (response) => response.destroy()],
    [
      'it is reset',
      'MCP_CONNECTION_LOST',
      ({ socket }) => socket instanceof Socket && socket.resetAndDestroy(),
    ],
    [
      'it breaks within the answer',
      'MCP_CONNECTION_LOST',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .write('{"jsonrpc":', () => response.destroy()),
    ],
    ['the server fails', 'MCP_HTTP_500', (response) => response.writeHead(500).end()],
    ['a proxy has no answer', 'MCP_HTTP_502', (response) => response.writeHead(502).end()],
    ['a proxy waits no longer', 'MCP_HTTP_504', (response) => response.writeHead(504).end()],
  ])('may have taken effect if it writes: %s', async (_what, code, answerCall) => {
    const { tools, calls } = await connectToRaw(answerCall);
    expect(await failureOf(callTool(tools, '__change'))).toEqual({
      code,
      message: expect.stringMatching(/It may have taken effect\.$/),
      isRetryable: false,
      details: { server: 'raw', outcome: 'unknown' },
    });
    expect(await failureOf(callTool(tools, '__look'))).toMatchObject({ code, isRetryable: true });
    expect(calls).toEqual(['change', 'look']);
  });
});

describe('a call that the server did not begin', () => {
  it.each([429, 503])('may be made again, also if it writes: %i', async (status) => {
    const { tools } = await connectToRaw((response) => response.writeHead(status).end());
    expect(await failureOf(callTool(tools, '__change'))).toEqual({
      code: `MCP_HTTP_${status}`,
      message: `The MCP server 'raw' responded with status ${status} while calling 'change'.`,
      isRetryable: true,
      details: { server: 'raw' },
    });
  });
});

it('an answer that is no JSON breaks the protocol', async () => {
  const { tools } = await connectToRaw((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('nonsense'),
  );
  expect(await failureOf(callTool(tools, '__change'))).toMatchObject({
    code: 'MCP_PROTOCOL_VIOLATION',
    isRetryable: false,
  });
});

it('a call that only reads may be made again when it was silent for too long', async () => {
  const { tools } = await connectToRaw(() => {}, { callTimeoutMs: 100 });
  expect(await failureOf(callTool(tools, '__look'))).toEqual({
    code: 'MCP_TIMEOUT',
    message: "'look' of the MCP server 'raw' was silent for 100 ms.",
    isRetryable: true,
    details: { server: 'raw', timeout_ms: 100 },
  });
});

it('a call that is not known in a new session either fails, and is made no third time', async () => {
  const { tools, calls } = await connectToRaw((response) => response.writeHead(404).end());
  expect(await failureOf(callTool(tools, '__change'))).toMatchObject({ code: 'MCP_HTTP_404' });
  expect(calls).toHaveLength(2);
});

it('a call that is cancelled fails with the reason itself', async () => {
  const begun = Promise.withResolvers<void>();
  const { tools } = await connectToRaw(() => begun.resolve());
  const stop = new AbortController();
  const { context } = createContext({ signal: stop.signal });
  const call = callTool(tools, '__change', {}, { context });
  await begun.promise;
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(call).rejects.toBe(reason);
});

it('calls that are over leave nothing behind at the signal of their run', async () => {
  const remote = await startHttpServer();
  const tools = await connectTo({ name: 'web', url: remote.url }).listTools();
  const { signal } = new AbortController();
  const { context } = createContext({ signal });
  await callTool(tools, '__greet', { name: 'Ada' }, { context });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
