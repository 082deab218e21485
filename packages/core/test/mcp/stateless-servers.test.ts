import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MCPServer } from '../../src/mcp/mcp-server.js';
import { systemRuntime } from '../../src/runtime.js';
import { callTool, connectTo, createContext, textOf } from './mcp-doubles.js';
import { createTools } from './servers/stateless.js';

/** Starts a server that speaks only the version of the protocol without a handshake. It stops when the test ends. */
async function startStatelessServer() {
  const cancelled: string[] = [];
  const requests: string[] = [];
  const subscriptions: ServerResponse[] = [];
  let extra = false;
  const handler = createMcpHandler(() => createTools({ extra, cancelled }), { legacy: 'reject' });
  const server = createServer((request, response) => {
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    void (async () => {
      const { method = '', headers } = request;
      const body = await text(request);
      const called = String(Object(JSON.parse(body)).method);
      requests.push(called);
      if (called === 'subscriptions/listen') subscriptions.push(response);
      const given = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      const answer = await handler.fetch(
        new Request(`http://${headers.host}/mcp`, { method, headers: given, body, signal: closed.signal }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.flushHeaders();
      if (answer.body) await pipeline(Readable.fromWeb(answer.body), response).catch(() => undefined);
      else response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await handler.close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    cancelled,
    /** How often a method was called. */
    count: (method: string) => requests.filter((called) => called === method).length,
    /** Cuts the connections of those who listen. */
    cutSubscriptions: () => subscriptions.splice(0).forEach((response) => response.destroy()),
    /** Adds a tool, and tells those who listen. */
    addTool() {
      extra = true;
      handler.notify.toolsChanged();
    },
  };
}

const program = join(import.meta.dirname, 'servers/stateless.ts');
const overStdio = async () => connectTo({ name: 'new', command: process.execPath, args: [program, 'stdio'] });
const overHttp = async () => connectTo({ name: 'new', url: (await startStatelessServer()).url });

describe.each([
  ['standard input and output', overStdio],
  ['HTTP', overHttp],
])('a server without a handshake over %s', (_transport, connect: () => Promise<MCPServer>) => {
  it('is used like any other', async () => {
    const server = await connect();
    const tools = await server.listTools();
    expect(textOf(await callTool(tools, '__greet', { name: 'Ada' }))).toBe('Hello Ada');
    expect(textOf(await callTool(tools, '__greet', { name: 'Bob' }))).toBe('Hello Bob');
    expect(server.isConnected).toBe(true);
  });

  it('reports progress and the log lines of the level that was asked for', async () => {
    const tools = await (await connect()).listTools();
    const { context, progress, lines } = createContext();
    expect(textOf(await callTool(tools, '__report', {}, { context }))).toBe('reported');
    expect(progress).toMatchObject([{ progress: 1, total: 2 }]);
    expect(lines).toEqual([{ level: 'info', message: 'half done', source: 'new' }]);
  });

  it('asks the person behind the run', async () => {
    const tools = await (await connect()).listTools();
    const { context, questions } = createContext({ answer: () => true });
    expect(textOf(await callTool(tools, '__ask', {}, { context }))).toBe('{"sure":true}');
    expect(questions).toMatchObject([{ inputType: 'boolean', prompt: expect.stringContaining('Really?') }]);
  });

  it('asks the person behind the run of the call, even if several runs call it', async () => {
    const tools = await (await connect()).listTools();
    const asked = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
    const calls = [true, false].map(async (answer, at) => {
      const { context } = createContext({
        runId: `run-${at}`,
        answer: async () => {
          asked[at]?.resolve();
          await Promise.all(asked.map(({ promise }) => promise));
          return answer;
        },
      });
      return textOf(await callTool(tools, '__ask', {}, { context }));
    });
    expect(await Promise.all(calls)).toEqual(['{"sure":true}', '{"sure":false}']);
  });

  it('asks for several answers at once, but not for any number of them', async () => {
    const tools = await (await connect()).listTools();
    const { context, questions, progress } = createContext({ answer: () => true });
    expect(textOf(await callTool(tools, '__ask_at_once', { count: 5 }, { context }))).toBe(
      '[true,true,true,true,true]',
    );
    expect([questions.length, progress]).toEqual([5, []]);
    await expect(callTool(tools, '__ask_at_once', { count: 21 }, { context })).rejects.toMatchObject({
      code: 'MCP_PROTOCOL_VIOLATION',
      message: expect.stringContaining('too many questions at once'),
    });
  });

  it.each(['eu-west', ' Österreich ', '=?base64?eA==?=', ''])(
    'gets the argument %j in a header',
    async (region) => {
      const tools = await (await connect()).listTools();
      expect(textOf(await callTool(tools, '__route', { place: { region } }))).toBe(region);
      expect(textOf(await callTool(tools, '__route', { place: { region }, count: 3 }))).toBe(region);
    },
  );

  it('lets the call come back later', async () => {
    const tools = await (await connect()).listTools();
    expect(textOf(await callTool(tools, '__come_back'))).toBe('now');
  });

  it('fails the call if it asks again and again', async () => {
    const tools = await (await connect()).listTools();
    const { context, questions } = createContext({ answer: () => true });
    await expect(callTool(tools, '__ask_forever', {}, { context })).rejects.toMatchObject({
      code: 'MCP_PROTOCOL_VIOLATION',
      message: expect.stringContaining('asked again and again'),
    });
    expect(questions).toHaveLength(10);
  });
});

describe('a server without a handshake over HTTP', () => {
  it('has its calls cancelled', async () => {
    const remote = await startStatelessServer();
    const tools = await connectTo({ name: 'new', url: remote.url }).listTools();
    const stop = new AbortController();
    const { context } = createContext({ signal: stop.signal });
    const call = callTool(tools, '__slow', {}, { context });
    await expect.poll(() => remote.count('tools/call')).toBe(1);
    stop.abort(new Error('no longer needed'));
    await expect(call).rejects.toThrow('no longer needed');
    await expect.poll(() => remote.cancelled).toEqual(['slow']);
  });

  it('has its log lines shown in the run of the call that they belong to', async () => {
    const remote = await startStatelessServer();
    const tools = await connectTo({ name: 'new', url: remote.url }).listTools();
    const stop = new AbortController();
    const [one, other] = [
      createContext({ runId: 'run-1' }),
      createContext({ runId: 'run-2', signal: stop.signal }),
    ];
    const waiting = callTool(tools, '__slow', {}, other);
    await expect.poll(() => remote.count('tools/call')).toBe(1);
    await callTool(tools, '__report', {}, one);
    stop.abort();
    await expect(waiting).rejects.toThrow();
    expect([one.lines.length, other.lines]).toEqual([1, []]);
  });

  it('has its tools listed again when they have changed, and only then', async () => {
    const remote = await startStatelessServer();
    let now = 0;
    const runtime = { ...systemRuntime, monotonicMs: () => now };
    const server = connectTo({ name: 'new', url: remote.url }, { runtime });
    const names = async () => (await server.listTools()).map(({ name }) => name);
    expect(await names()).not.toContain('new__extra');
    now += 1_000_000;
    await names();
    expect(remote.count('tools/list')).toBe(1);
    remote.addTool();
    await expect.poll(names).toContain('new__extra');
  });
  it('is listened to again after that was cut, and what changed meanwhile is not missed', async () => {
    const remote = await startStatelessServer();
    const server = connectTo({ name: 'new', url: remote.url, reconnect: { baseMs: 200 } });
    const names = async () => (await server.listTools()).map(({ name }) => name);
    await names();
    remote.cutSubscriptions();
    // Long enough to notice, and too short to listen again.
    await wait(50);
    expect(await names()).not.toContain('new__extra');
    remote.addTool();
    await expect.poll(names, { timeout: 10_000 }).toContain('new__extra');
    expect(remote.count('subscriptions/listen')).toBe(2);
    await server.close();
    remote.cutSubscriptions();
    await wait(500);
    expect(remote.count('subscriptions/listen')).toBe(2);
  });
});

it.each([
  ['a model', { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }],
  ['nothing that is known', 'x'],
])('a call fails if its server asks for the answer of %s', async (_what, question) => {
  const results: Record<string, object> = {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    'tools/list': {
      tools: [
        { name: 'ask', inputSchema: { type: 'object' } },
        {
          name: 'invalid',
          inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } },
        },
      ],
      ttlMs: 0,
      cacheScope: 'private',
    },
    'tools/call': { resultType: 'input_required', inputRequests: { it: question } },
  };
  const server = createServer((request, response) => {
    void (async () => {
      const { id, method } = JSON.parse(await text(request));
      const result = { resultType: 'complete', ...results[method] };
      const error = { code: -32022, message: 'Unsupported', data: { supported: ['2026-07-28'] } };
      const answer = method in results ? { result } : { error };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const tools = await connectTo({ name: 'odd', url: `http://127.0.0.1:${port}/mcp` }).listTools();
  expect(tools.map(({ name }) => name)).toEqual(['odd__ask']);
  await expect(callTool(tools, '__ask')).rejects.toMatchObject({
    code: 'MCP_PROTOCOL_VIOLATION',
    message: expect.stringContaining('something else than a form'),
  });
});
