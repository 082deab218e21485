import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { quickRuntime } from '../quick-runtime.js';
import { startHttpServer } from './http-servers.js';
import { callTool, connectTo, createContext, textOf } from './mcp-doubles.js';

describe('a streamable HTTP server', () => {
  it('lists and runs its tools in one session, and the session is ended when it is closed', async () => {
    const remote = await startHttpServer();
    const server = connectTo({ name: 'web', url: remote.url });
    const tools = await server.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['web__greet', 'web__slow', 'web__ask', 'web__large']);
    expect(textOf(await callTool(tools, '__greet', { name: 'Ada' }))).toBe('Hello Ada');
    expect(remote.sessions.size).toBe(1);
    await server.close();
    expect(remote.sessions.size).toBe(0);
  });

  it.each([
    ['headers', { authorization: 'Bearer key-4711-secret' }],
    ['a function that gives them', async () => ({ authorization: 'Bearer key-4711-secret' })],
  ])('gets %s with every request', async (_what, headers) => {
    const remote = await startHttpServer();
    const tools = await connectTo({ name: 'web', url: remote.url, headers }).listTools();
    await callTool(tools, '__greet', { name: 'Ada' });
    expect(remote.requests.length).toBeGreaterThan(3);
    expect(new Set(remote.requests.map((request) => request.headers.authorization))).toEqual(
      new Set(['Bearer key-4711-secret']),
    );
  });

  it('signs in by the provider that is given', async () => {
    const remote = await startHttpServer();
    const authProvider = {
      redirectUrl: undefined,
      clientMetadata: { redirect_uris: [] },
      clientInformation: () => undefined,
      tokens: () => ({ access_token: 'from-provider', token_type: 'Bearer' }),
      saveTokens: () => {},
      redirectToAuthorization: () => {},
      saveCodeVerifier: () => {},
      codeVerifier: () => '',
    };
    await connectTo({ name: 'web', url: remote.url, authProvider }).listTools();
    expect(remote.requests.at(-1)?.headers.authorization).toBe('Bearer from-provider');
  });

  it.each([
    [401, 'MCP_UNAUTHORIZED', false],
    [403, 'MCP_UNAUTHORIZED', false],
    [400, 'MCP_HTTP_400', false],
    [503, 'MCP_HTTP_503', true],
  ])('that refuses with %d fails with %s, without what it said', async (status, code, isRetryable) => {
    const remote = await startHttpServer({ allow: () => status });
    const server = connectTo({ name: 'web', url: remote.url, headers: { 'x-api-key': 'key-4711-secret' } });
    const error: unknown = await server.connect().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, isRetryable });
    expect(String(error)).not.toMatch(/4711|your key/);
    expect(remote.requests).toHaveLength(1);
  });

  it('that cannot be reached fails so', async () => {
    const server = connectTo({ name: 'web', url: 'http://127.0.0.1:9/mcp' });
    await expect(server.connect()).rejects.toMatchObject({ code: 'MCP_UNREACHABLE', isRetryable: true });
  });

  it('that is something else than an MCP server is told of with what it said', async () => {
    const { url } = await startHttpServer({ allow: () => 200 });
    const server = connectTo({ name: 'remote', url });
    await expect(server.connect()).rejects.toMatchObject({
      code: 'MCP_UNREACHABLE',
      message: expect.stringContaining('Unexpected content type'),
    });
  });

  it('that forgot the session is greeted anew, and the call is made once more', async () => {
    const remote = await startHttpServer();
    const tools = await connectTo({ name: 'web', url: remote.url }, { runtime: quickRuntime() }).listTools();
    remote.forget();
    expect(textOf(await callTool(tools, '__greet', { name: 'Ada' }))).toBe('Hello Ada');
    expect(remote.sessions.size).toBe(1);
  });

  it('gets to know of cancelled calls; its lines and questions reach the run', async () => {
    const remote = await startHttpServer();
    const tools = await connectTo({ name: 'web', url: remote.url }).listTools();
    const stop = new AbortController();
    const { context, lines } = createContext({ signal: stop.signal });
    const slow = callTool(tools, '__slow', {}, { context });
    await expect.poll(() => lines).toEqual([{ level: 'info', message: '{"step":"begun"}', source: 'web' }]);
    stop.abort(new Error('enough'));
    await expect(slow).rejects.toThrow('enough');
    await expect.poll(() => remote.cancelled).toEqual(['slow']);
    const asked = createContext({ answer: () => true });
    const answer = textOf(await callTool(tools, '__ask', {}, { context: asked.context }));
    expect(JSON.parse(answer)).toEqual({ action: 'accept', content: { sure: true } });
  });

  it('that sends more than is taken is given up, and greeted anew for the next call', async () => {
    const remote = await startHttpServer();
    const options = { name: 'web', url: remote.url, maxMessageBytes: 100_000 };
    const tools = await connectTo(options, { runtime: quickRuntime() }).listTools();
    await expect(callTool(tools, '__large')).rejects.toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      message: expect.stringContaining('a message of more than 100000 bytes'),
    });
    expect(textOf(await callTool(tools, '__greet', { name: 'Ada' }))).toBe('Hello Ada');
  });

  it('does not lead anywhere else with what was meant for it', async () => {
    const stolen: unknown[] = [];
    const thief = createServer((request, response) => {
      stolen.push(request.headers.authorization);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void thief.close());
    const { port } = thief.address() as { port: number };
    const guide = createServer((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end(),
    );
    await new Promise<void>((resolve) => guide.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void guide.close());
    const guided = guide.address() as { port: number };
    const server = connectTo({
      name: 'web',
      url: `http://127.0.0.1:${guided.port}/`,
      headers: { authorization: 'Bearer x' },
    });
    await expect(server.connect()).rejects.toMatchObject({ code: expect.stringMatching(/^MCP_/) });
    expect(stolen).toEqual([]);
  });
});
