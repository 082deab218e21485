import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MCPServer } from '../../src/mcp/mcp-server.js';
import { quickRuntime } from '../quick-runtime.js';
import { startHttpServer } from './http-servers.js';
import { callTool, connectTo, createContext, textOf } from './mcp-doubles.js';

/** A provider of OAuth that has these tokens, or none. */
const signInWith = (tokens?: { access_token: string; token_type: string }) => ({
  redirectUrl: undefined,
  clientMetadata: { redirect_uris: [] },
  clientInformation: () => undefined,
  tokens: () => tokens,
  saveTokens: () => {},
  redirectToAuthorization: () => {},
  saveCodeVerifier: () => {},
  codeVerifier: () => '',
});

/** A server that answers as it is told, and its address. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return `http://127.0.0.1:${port}/`;
}

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

  it('leaves nothing of itself at a signal that lives on', async () => {
    const remote = await startHttpServer();
    const { signal } = new AbortController();
    const server = connectTo({ name: 'web', url: remote.url });
    await server.connect({ signal });
    expect(await server.listTools({ signal })).toHaveLength(4);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is left where the block of its server ends', async () => {
    const remote = await startHttpServer();
    {
      await using server = new MCPServer({ name: 'web', url: remote.url });
      await server.connect();
      expect(remote.sessions.size).toBe(1);
    }
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
    const authProvider = signInWith({ access_token: 'from-provider', token_type: 'Bearer' });
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

  it.each([
    [400, 'MCP_HTTP_400'],
    [200, 'MCP_UNREACHABLE'],
  ])(
    'that repeats a header with %i brings it into no error, nor into the cause of one',
    async (status, code) => {
      const url = await listen((request, response) => {
        const key = String(request.headers['x-api-key']);
        response.writeHead(status, { 'content-type': `text/${key}` }).end(`no such key: ${key}`);
      });
      const server = connectTo({ name: 'web', url, headers: { 'x-api-key': 'key-4711-secret' } });
      const error: unknown = await server.connect().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('key-4711');
    },
  );

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

  it('that forgot the session before its tools were listed is greeted anew', async () => {
    const remote = await startHttpServer();
    const server = connectTo({ name: 'web', url: remote.url });
    await server.connect();
    remote.forget();
    expect((await server.listTools()).map(({ name }) => name)).toContain('web__greet');
    expect(remote.sessions.size).toBe(1);
  });

  it('that forgot the session is greeted anew, and the call is made once more', async () => {
    const remote = await startHttpServer();
    const tools = await connectTo({ name: 'web', url: remote.url }, { runtime: quickRuntime() }).listTools();
    remote.forget();
    expect(textOf(await callTool(tools, '__greet', { name: 'Ada' }))).toBe('Hello Ada');
    expect(remote.sessions.size).toBe(1);
    // The session that was lost is left like any other.
    expect(remote.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('that fails to list its tools is asked no second time, and its session stays', async () => {
    const refusals: number[] = [];
    const remote = await startHttpServer({ allow: () => refusals[0] });
    const server = connectTo({ name: 'web', url: remote.url });
    await server.connect();
    const requests = () => remote.requests.filter(({ method }) => method !== 'GET').length;
    const before = requests();
    refusals.push(500);
    await expect(server.listTools()).rejects.toMatchObject({ code: 'MCP_HTTP_500' });
    expect(requests()).toBe(before + 1);
    expect(server.isConnected).toBe(true);
  });

  it('that a person has to sign in to first refuses', async () => {
    const asked: URL[] = [];
    const url = await listen((request, response) => {
      const origin = `http://${request.headers.host}`;
      if (request.url === '/') return response.writeHead(401).end();
      if (!request.url?.includes('oauth-authorization-server')) return response.writeHead(404).end();
      return response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          issuer: origin,
          token_endpoint: `${origin}/token`,
          authorization_endpoint: `${origin}/authorize`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        }),
      );
    });
    const authProvider = {
      ...signInWith(),
      redirectUrl: 'http://127.0.0.1/callback',
      clientInformation: () => ({ client_id: 'me' }),
      redirectToAuthorization: (page: URL) => void asked.push(page),
    };
    await expect(connectTo({ name: 'web', url, authProvider }).connect()).rejects.toMatchObject({
      code: 'MCP_UNAUTHORIZED',
      isRetryable: false,
    });
    expect(asked.map(({ pathname }) => pathname)).toEqual(['/authorize']);
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

  it('may ask the person of one run when a call of another is over', async () => {
    const remote = await startHttpServer();
    const tools = await connectTo({ name: 'web', url: remote.url }).listTools();
    await callTool(tools, '__greet', { name: 'Ada' }, { context: createContext({ runId: 'run-1' }).context });
    const { context } = createContext({ runId: 'run-2', answer: () => true });
    expect(JSON.parse(textOf(await callTool(tools, '__ask', {}, { context })))).toMatchObject({
      action: 'accept',
    });
  });

  it.each([500, 'silence'] as const)(
    'that answers the end of the session with %s is left all the same',
    async (answer) => {
      const remote = await startHttpServer({
        allow: ({ method }) => (method === 'DELETE' ? answer : undefined),
      });
      const server = connectTo({ name: 'web', url: remote.url });
      await server.connect();
      await server.close();
      expect(server.isConnected).toBe(false);
      expect(remote.requests.at(-1)?.method).toBe('DELETE');
    },
  );

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
    const thief = await listen((request, response) => {
      stolen.push(request.headers.authorization);
      response.writeHead(404).end();
    });
    const url = await listen((_request, response) => response.writeHead(307, { location: thief }).end());
    const server = connectTo({ name: 'web', url, headers: { authorization: 'Bearer x' } });
    await expect(server.connect()).rejects.toMatchObject({ code: expect.stringMatching(/^MCP_/) });
    expect(stolen).toEqual([]);
  });

  it('keeps its headers from where its sign-in leads', async () => {
    const asked: unknown[] = [];
    const authority = await listen((request, response) => {
      asked.push(request.headers['x-api-key']);
      response.writeHead(404).end();
    });
    const challenge = `Bearer resource_metadata="${authority}.well-known/oauth-protected-resource"`;
    const url = await listen((_request, response) =>
      response.writeHead(401, { 'www-authenticate': challenge }).end(),
    );
    const headers = { 'x-api-key': 'key-4711-secret' };
    const server = connectTo({ name: 'web', url, headers, authProvider: signInWith() });
    await expect(server.connect()).rejects.toMatchObject({ code: expect.stringMatching(/^MCP_/) });
    expect(new Set(asked)).toEqual(new Set([undefined]));
  });
});
