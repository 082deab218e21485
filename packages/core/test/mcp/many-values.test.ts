import { describe, expect, it } from 'vitest';
import { serveMcp } from '../../src/mcp/serve/serve-mcp.js';
import { MAX_VALUES } from '../../src/mcp/value-limit.js';
import { startAgent } from '../agent-setup.js';
import { callTool, connectTo, connectToHostile, createContext, textOf } from './mcp-doubles.js';
import { startRawServer } from './http-servers.js';
import { startStatelessDouble } from './stateless-double.js';

const icons = Array.from({ length: MAX_VALUES }, () => ({ src: 'https://x.test/icon.png' }));
const info = { name: 'x', version: '1', icons };
const prefix = 'io.modelcontextprotocol/';

describe('a server whose messages have many values', () => {
  const violation = { code: 'MCP_PROTOCOL_VIOLATION' };

  it('is a protocol violation if a program describes itself with them', async () => {
    await expect(connectToHostile('many_icons').connect()).rejects.toMatchObject(violation);
  });

  it('is a protocol violation if a server over HTTP describes itself with them', async () => {
    const remote = await startStatelessDouble((method, _called, { protocolVersion }) =>
      method === 'initialize'
        ? { result: { protocolVersion, capabilities: {}, serverInfo: info } }
        : undefined,
    );
    await expect(connectTo({ name: 'web', url: remote.url }).connect()).rejects.toMatchObject(violation);
  });

  it("is a protocol violation if a result without sessions has them in the protocol's metadata", async () => {
    const remote = await startStatelessDouble((method) => {
      if (method === 'initialize') return { status: 400 };
      const result = { resultType: 'complete', content: [], _meta: { [`${prefix}serverInfo`]: info } };
      return method === 'tools/call' ? { result } : undefined;
    });
    const tools = await connectTo({ name: 'new', url: remote.url }).listTools();
    await expect(callTool(tools, '__look')).rejects.toMatchObject(violation);
  });

  it('may have them in the data of an error', async () => {
    const error = { code: -32602, message: 'No', data: { issues: icons } };
    const remote = await startRawServer((response, id) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id, error })),
    );
    const tools = await connectTo({ name: 'raw', url: remote.url }).listTools();
    await expect(callTool(tools, '__look')).rejects.toMatchObject({ rpcCode: -32602 });
  });

  it('may have them in a result, in metadata of its own, and in what it logs', async () => {
    const { context, lines } = createContext();
    const tools = await connectToHostile('many_values').listTools();
    const result = await callTool(tools, '__do_it', {}, { context });
    expect([textOf(result), lines]).toEqual(['0', [expect.objectContaining({ level: 'info' })]]);
    expect(result).toMatchObject({ structured_content: { values: { length: 2 * MAX_VALUES } } });
  });
});

describe('a client whose messages have many values', () => {
  const clientInfo = info;
  const stateless = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientInfo`]: clientInfo,
    [`${prefix}clientCapabilities`]: {},
  };
  const post = (body: object, headers: Record<string, string> = {}) => {
    const accept = 'application/json, text/event-stream';
    return new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...headers },
      body: JSON.stringify(body),
    });
  };
  const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const initialize = message('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  });

  it.each<[string, Request]>([
    ['a handshake', post(message('initialize', { ...initialize.params, clientInfo }))],
    ['a request without a session', post(message('tools/list', { _meta: stateless }))],
    ['a batch', post(Array.from({ length: MAX_VALUES }, () => message('ping')))],
  ])('is refused: %s', async (_what, request) => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent);
    const refusal = await service.fetch(request);
    expect([refusal.status, await refusal.text()]).toEqual([
      413,
      expect.stringContaining('more than 10000 values'),
    ]);
  });

  it('is refused in a session, which goes on', async () => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent);
    const opened = await service.fetch(post(initialize));
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const statusOf = async (body: object) => (await service.fetch(post(body, session))).status;
    expect(await statusOf(message('ping', { _meta: stateless }))).toBe(413);
    expect(await statusOf(message('ping'))).toBe(200);
    // The arguments of a call may have any number; this tool does not exist.
    const call = message('tools/call', { name: 'no_tool', arguments: { values: icons } });
    const answer = await service.fetch(post(call, session));
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining("Unknown tool 'no_tool'"),
    ]);
  });
});
