import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { createServer, type RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MCPServer } from '../../src/mcp/mcp-server.js';
import { quickRuntime } from '../quick-runtime.js';
import { startHttpServer } from './http-servers.js';
import { callTool, connectTo, createContext, textOf } from './mcp-doubles.js';

/** An OAuth provider with these tokens, or without any. */
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

/** Starts a server with this request listener; returns its URL. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return `http://127.0.0.1:${port}/`;
}

describe('a streamable HTTP server', () => {
  it('lists and calls its tools in one session, which ends when the server is closed', async () => {
    const remote = await startHttpServer();
    const server = connectTo({ name: 'web', url: remote.url });
    const tools = await server.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'web__greet',
      'web__slow',
      'web__ask',
      'web__ask_twice',
      'web__large',
    ]);
    expect(textOf(await callTool(tools, '__greet', { name: 'Ada' }))).toBe('Hello Ada');
    expect(remote.sessions.size).toBe(1);
    await server.close();
    expect(remote.sessions.size).toBe(0);
  });

  it('leaves no listener on the signal of connect() and listTools()', async () => {
    const remote = await startHttpServer();
    const { signal } = new AbortController();
    const server = connectTo({ name: 'web', url: remote.url });
    await server.connect({ signal });
    expect(await server.listTools({ signal })).toHaveLength(5);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is closed at the end of an `await using` block', async () => {
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
    ['headers from a function', async () => ({ authorization: 'Bearer key-4711-secret' })],
  ])('receives %s with every request', async (_what, headers) => {
    const remote = await startHttpServer();
    const tools = await connectTo({ name: 'web', url: remote.url, headers }).listTools();
    await callTool(tools, '__greet', { name: 'Ada' });
    expect(remote.requests.length).toBeGreaterThan(3);
    expect(new Set(remote.requests.map((request) => request.headers.authorization))).toEqual(
      new Set(['Bearer key-4711-secret']),
    );
  });

  it('receives the access token of the authProvider', async () => {
    const remote = await startHttpServer();
    const authProvider = signInWith({ access_token: 'from-provider', token_type: 'Bearer' });
    await connectTo({ name: 'web', url: remote.url, authProvider }).listTools();
    expect(remote.requests.at(-1)?.headers.authorization).toBe('Bearer from-provider');
  });

  it.each([
    [401, 'MCP_UNAUTHORIZED', false, 1],
    [403, 'MCP_UNAUTHORIZED', false, 1],
    // It may speak only a version without a handshake.
    [400, 'MCP_HTTP_400', false, 2],
    [503, 'MCP_HTTP_503', true, 1],
  ])(
    'that responds with status %d fails with %s, without its response body',
    async (status, code, isRetryable, requests) => {
      const remote = await startHttpServer({ allow: () => status });
      const server = connectTo({ name: 'web', url: remote.url, headers: { 'x-api-key': 'key-4711-secret' } });
      const error: unknown = await server.connect().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code, isRetryable });
      expect(String(error)).not.toMatch(/4711|your key/);
      expect(remote.requests).toHaveLength(requests);
    },
  );

  it.each([
    [400, 'MCP_HTTP_400'],
    [200, 'MCP_PROTOCOL_VIOLATION'],
  ])(
    'that repeats a request header in a response with status %i does not leak it into the error',
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

  it('that cannot be reached fails with a retryable MCP_UNREACHABLE', async () => {
    const server = connectTo({ name: 'web', url: 'http://127.0.0.1:9/mcp' });
    await expect(server.connect()).rejects.toMatchObject({ code: 'MCP_UNREACHABLE', isRetryable: true });
  });

  it('that is not an MCP server is reported with its unexpected content type', async () => {
    const { url } = await startHttpServer({ allow: () => 200 });
    const server = connectTo({ name: 'remote', url });
    await expect(server.connect()).rejects.toMatchObject({
      code: 'MCP_PROTOCOL_VIOLATION',
      message: expect.stringContaining('Unexpected content type'),
    });
  });

  it('that has lost the session before it lists its tools gets a new session', async () => {
    const remote = await startHttpServer();
    const server = connectTo({ name: 'web', url: remote.url });
    await server.connect();
    remote.forget();
    expect((await server.listTools()).map(({ name }) => name)).toContain('web__greet');
    expect(remote.sessions.size).toBe(1);
  });

  it('that has lost the session before a call gets a new session, and the call is repeated', async () => {
    const remote = await startHttpServer();
    const tools = await connectTo({ name: 'web', url: remote.url }, { runtime: quickRuntime() }).listTools();
    remote.forget();
    expect(textOf(await callTool(tools, '__greet', { name: 'Ada' }))).toBe('Hello Ada');
    expect(remote.sessions.size).toBe(1);
    // The lost session is ended like any other.
    expect(remote.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('that fails to list its tools is not asked again, and its session stays open', async () => {
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

  it('that requires a user to sign in redirects to the sign-in page and fails with MCP_UNAUTHORIZED', async () => {
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

  it('is notified of cancelled calls, and its log lines and questions reach the run', async () => {
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

  it('can ask a question in one run after a call of another run has ended', async () => {
    const remote = await startHttpServer();
    const tools = await connectTo({ name: 'web', url: remote.url }).listTools();
    await callTool(tools, '__greet', { name: 'Ada' }, { context: createContext({ runId: 'run-1' }).context });
    const { context } = createContext({ runId: 'run-2', answer: () => true });
    expect(JSON.parse(textOf(await callTool(tools, '__ask', {}, { context })))).toMatchObject({
      action: 'accept',
    });
  });

  it.each([500, 'silence'] as const)(
    'that responds to the end of its session with %s is closed anyway',
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

  it('that sends a message over maxMessageBytes is disconnected, and reconnected for the next call', async () => {
    const remote = await startHttpServer();
    const options = { name: 'web', url: remote.url, maxMessageBytes: 100_000 };
    const tools = await connectTo(options, { runtime: quickRuntime() }).listTools();
    await expect(callTool(tools, '__large')).rejects.toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      message: expect.stringContaining('a message of more than 100000 bytes (maxMessageBytes)'),
    });
    expect(textOf(await callTool(tools, '__greet', { name: 'Ada' }))).toBe('Hello Ada');
  });

  it('that does not take the end of the handshake times out, and close() does not wait for it', async () => {
    const url = await listen(async (request, response) => {
      if (request.method !== 'POST') return void response.end();
      const { id, method, params } = Object(await json(request));
      if (method !== 'initialize') return;
      const { protocolVersion } = params;
      const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'half', version: '1' } };
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    const server = connectTo({ name: 'web', url, connectTimeoutMs: 300 });
    await expect(server.connect()).rejects.toMatchObject({ code: 'MCP_TIMEOUT' });
    const patient = connectTo({ name: 'web', url });
    const connecting = patient.connect().catch((error: unknown) => error);
    await patient.close();
    expect(await connecting).toMatchObject({ code: 'MCP_CLOSED' });
  });

  it('cannot redirect requests with their headers to another origin', async () => {
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

  it('that names an authorization server does not cause its headers to be sent there', async () => {
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
