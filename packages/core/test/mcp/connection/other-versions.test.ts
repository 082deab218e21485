import { expect, it } from 'vitest';
import { callTool, connectTo } from '../mcp-doubles.js';
import { startStatelessDouble, type Answer } from '../stateless-double.js';

const refuseHandshake = (answer: Answer) => (method: string) =>
  method === 'initialize' ? answer : undefined;

it.each<[string, Answer]>([
  ['its versions', { status: 400, error: -32022 }],
  ['missing headers', { status: 400, error: -32020 }],
  ['a bad request', { status: 400 }],
  ['an unknown method, as the protocol wants it', { status: 404, error: -32601 }],
  ['an unknown method', { error: -32601 }],
  ['missing parameters', { error: -32602 }],
  ['an invalid request', { error: -32600 }],
])('a server that answers the handshake with %s is asked without', async (_what, answer) => {
  const remote = await startStatelessDouble(refuseHandshake(answer));
  const server = connectTo({ name: 'new', url: remote.url });
  expect(await server.listTools()).toHaveLength(2);
  expect(remote.methods).toEqual(['initialize', 'server/discover', 'tools/list']);
});

it.each<[string, Answer]>([
  ['MCP_HTTP_404', { status: 404 }],
  ['MCP_HTTP_405', { status: 405 }],
  ['MCP_HTTP_503', { status: 503, error: -32601 }],
  ['MCP_UNAUTHORIZED', { status: 401 }],
  ['MCP_INTERNAL_ERROR', { error: -32603 }],
  ['MCP_SERVER_ERROR', { error: -32000 }],
])('a server that answers the handshake with %s is not', async (code, answer) => {
  const remote = await startStatelessDouble(refuseHandshake(answer));
  await expect(connectTo({ name: 'old', url: remote.url }).connect()).rejects.toMatchObject({ code });
  expect(remote.methods).toEqual(['initialize']);
});

it('a server that refuses both is reported with its first refusal', async () => {
  const remote = await startStatelessDouble((method) => ({
    error: method === 'initialize' ? -32602 : -32601,
  }));
  await expect(connectTo({ name: 'old', url: remote.url }).connect()).rejects.toMatchObject({
    code: 'MCP_INVALID_PARAMS',
  });
  expect(remote.methods).toEqual(['initialize', 'server/discover']);
});

it.each<[string, boolean, Answer]>([
  ['MCP_UNAUTHORIZED', false, { status: 401 }],
  ['MCP_HTTP_503', true, { status: 503 }],
  ['MCP_CONNECTION_LOST', true, { status: 0 }],
])('a server that fails without a handshake is reported with %s', async (code, isRetryable, answer) => {
  for (const error of [undefined, -32022]) {
    const refusal = { status: 400, ...(error === undefined ? {} : { error }) };
    const remote = await startStatelessDouble((method) => (method === 'initialize' ? refusal : answer));
    const server = connectTo({ name: 'new', url: remote.url });
    await expect(server.connect()).rejects.toMatchObject({ code, isRetryable });
  }
});

it('a server that was used without a handshake is first asked without one when it is connected again', async () => {
  const remote = await startStatelessDouble((method, called) => {
    if (method === 'initialize') return { status: 400 };
    return method === 'tools/call' && called.length === 4 ? { status: 404 } : undefined;
  });
  const tools = await connectTo({ name: 'new', url: remote.url, reconnect: { baseMs: 0 } }).listTools();
  await callTool(tools, '__change');
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
  const remote = await startStatelessDouble((method, called) => {
    const isNew = called.length <= methods.length;
    if (method === 'initialize') return isNew ? { status: 400 } : { result };
    if (method === 'server/discover') return isNew ? undefined : { error: -32601 };
    return method === 'tools/call' && isNew ? { status: 404 } : undefined;
  });
  const tools = await connectTo({ name: 'new', url: remote.url, reconnect: { baseMs: 0 } }).listTools();
  await callTool(tools, '__change');
  const again = ['server/discover', 'initialize', 'notifications/initialized', 'tools/call'];
  expect(remote.methods).toEqual([...methods, ...again]);
});

/** Answers the handshake as a server that gives no session, and asks in calls of the newer version. */
const answerWithoutSession = (discovery?: Answer) => (method: string) => {
  const serverInfo = { name: 'both', version: '1' };
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo };
  if (method === 'initialize') return { result };
  return method === 'server/discover' ? discovery : undefined;
};

it('a server that gives no session, and so cannot ask, is used without a handshake if it can be', async () => {
  const remote = await startStatelessDouble(answerWithoutSession());
  const server = connectTo({ name: 'both', url: remote.url });
  await server.listTools();
  const methods = ['initialize', 'notifications/initialized', 'server/discover', 'tools/list'];
  expect([remote.methods, server.isConnected]).toEqual([methods, true]);
});

it.each<[string, Answer]>([
  ['does not know the newer version', { error: -32601 }],
  ['refuses the newer version', { status: 400 }],
  ['fails with the newer version', { status: 503 }],
])('a server that gives no session and %s is used with a handshake', async (_what, discovery) => {
  const remote = await startStatelessDouble(answerWithoutSession(discovery));
  const tools = await connectTo({ name: 'old', url: remote.url }).listTools();
  await callTool(tools, '__change');
  expect(remote.methods.slice(-3)).toEqual(['server/discover', 'tools/list', 'tools/call']);
});
