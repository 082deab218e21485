import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { expect, it, vi } from 'vitest';
import type { MCPServer } from '../../../src/mcp/mcp-server.js';
import { callTool, catchLog, connectTo, createContext, textOf } from '../mcp-doubles.js';
import { createPerson, startOAuthServer } from '../oauth-server.js';

/** A server to which a person has signed in. */
async function connectSignedIn() {
  const remote = await startOAuthServer();
  const person = createPerson(remote.url);
  const server = connectTo({ name: 'web', url: remote.url, authProvider: person.provider });
  await failureOf(server);
  await person.signIn();
  return { remote, person, server, tools: await server.listTools() };
}

const failureOf = async (server: MCPServer): Promise<unknown> =>
  server.connect().catch((error: unknown) => error);

it('a server to which a person must sign in first says so, and can be used afterwards', async () => {
  const remote = await startOAuthServer();
  const { provider, pages, signIn } = createPerson(remote.url);
  const server = connectTo({ name: 'web', url: remote.url, authProvider: provider });
  await expect(server.connect()).rejects.toMatchObject({
    code: 'MCP_UNAUTHORIZED',
    isRetryable: false,
    message: "The MCP server 'web' refused access (a person must sign in first) while connecting to it.",
  });
  expect(pages).toHaveLength(1);
  await signIn();
  expect(textOf(await callTool(await server.listTools(), '__change', { what: 'a' }))).toBe('changed a');
});

it('calls that are refused at the same time refresh the token once, and all succeed', async () => {
  const { remote, person, tools } = await connectSignedIn();
  remote.expire();
  remote.requests.length = 0;
  const names = ['a', 'b', 'c', 'd'];
  const results = await Promise.all(names.map(async (what) => callTool(tools, '__change', { what })));
  expect(results.map(textOf)).toEqual(names.map((name) => `changed ${name}`));
  expect(remote.requests.filter((request) => request === 'POST /token')).toHaveLength(1);
  expect(person.pages).toHaveLength(1);
});

it('a call that is cancelled during a sign-in is not sent afterwards, but others that wait for it are', async () => {
  const { remote, tools } = await connectSignedIn();
  remote.expire();
  const stop = new AbortController();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  remote.intercept(async ({ url }) => {
    if (url !== '/token') return;
    stop.abort(new Error('enough'));
    await released;
  });
  const { context } = createContext({ signal: stop.signal });
  const cancelled = callTool(tools, '__change', { what: 'a' }, { context });
  const other = callTool(tools, '__change', { what: 'b' });
  await expect(cancelled).rejects.toThrow('enough');
  release();
  await other;
  expect(remote.changes).toEqual(['b']);
});

it('closing a server whose token has expired does not open a page', async () => {
  const { remote, person, server } = await connectSignedIn();
  remote.expire();
  remote.requests.length = 0;
  await server.close();
  expect(remote.requests).toEqual(['DELETE /mcp']);
  expect(person.pages).toHaveLength(1);
});

it('a sign-in that is never answered is abandoned when the server is closed', async () => {
  const { remote, server, tools } = await connectSignedIn();
  remote.expire();
  const abandoned = new Promise<void>((resolve) =>
    remote.intercept(({ url }, response) => {
      if (url !== '/token') return;
      response.on('close', resolve);
      void server.close();
      return true;
    }),
  );
  await expect(callTool(tools, '__change', { what: 'a' })).rejects.toMatchObject({
    code: expect.stringMatching(/^MCP_/),
  });
  await abandoned;
});

it.each([
  ['an error', 400, '{"error":"invalid_client","error_description":"unknown client"}', 'unknown client'],
  ['a page', 500, `<html>${'x'.repeat(100_000)}</html>`, 'HTTP 500'],
])(
  'a sign-in that the authorization server answers with %s fails with MCP_UNAUTHORIZED and a short reason',
  async (_name, status, body, reason) => {
    const remote = await startOAuthServer();
    remote.intercept(({ url }, response) =>
      url === '/register' ? response.writeHead(status).end(body) : undefined,
    );
    const { provider } = createPerson(remote.url);
    const error = await failureOf(connectTo({ name: 'web', url: remote.url, authProvider: provider }));
    expect(error).toMatchObject({ code: 'MCP_UNAUTHORIZED' });
    expect(String(error)).toContain(`could not be signed in to (`);
    expect(String(error)).toContain(reason);
    expect(String(error).length).toBeLessThan(600);
  },
);

it.each(['tokens', 'clientInformation', 'redirectToAuthorization', 'saveCodeVerifier'] as const)(
  'a provider whose %s fails is named as the reason',
  async (method) => {
    const remote = await startOAuthServer();
    const { provider } = createPerson(remote.url, {
      [method]: () => {
        throw new Error('the vault is locked');
      },
    });
    const error = await failureOf(connectTo({ name: 'web', url: remote.url, authProvider: provider }));
    expect(error).toMatchObject({
      code: 'MCP_UNAUTHORIZED',
      message: "The MCP server 'web' could not be signed in to (the vault is locked) while connecting to it.",
    });
  },
);

it('a sign-in whose provider never settles fails after connectTimeoutMs, and the next call tries again', async () => {
  const remote = await startOAuthServer();
  let isStuck = false;
  const person = createPerson(remote.url);
  const { saveTokens } = person.provider;
  const authProvider = {
    ...person.provider,
    saveTokens: async (tokens: Parameters<typeof saveTokens>[0]) => {
      await saveTokens(tokens);
      if (isStuck) await new Promise(() => {});
    },
  };
  const server = connectTo({ name: 'web', url: remote.url, authProvider, connectTimeoutMs: 2_000 });
  await failureOf(server);
  await person.signIn();
  const tools = await server.listTools();
  remote.expire();
  isStuck = true;
  await expect(callTool(tools, '__change', { what: 'a' })).rejects.toMatchObject({
    code: 'MCP_UNAUTHORIZED',
    message: expect.stringContaining('2000 ms'),
  });
  expect(textOf(await callTool(tools, '__change', { what: 'b' }))).toBe('changed b');
});

it('neither an error nor the log of a failed refresh shows a token that the server repeats', async () => {
  const lines = catchLog();
  const { remote, tools } = await connectSignedIn();
  remote.expire();
  remote.intercept(({ url, headers }, response) =>
    url === '/mcp' ? response.writeHead(401).end(`expired: ${headers.authorization}`) : undefined,
  );
  const error: unknown = await callTool(tools, '__change', { what: 'a' }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'MCP_UNAUTHORIZED' });
  expect(inspect([error, lines], { depth: 9, showHidden: true })).not.toMatch(/(?:access|refresh)-[0-9a-f]/);
});

it('a malformed response to a sign-in is reported without quoting it', async () => {
  const remote = await startOAuthServer();
  remote.intercept(({ url }, response) =>
    url === '/register' ? response.writeHead(201).end('client_secret=sk-live-4711') : undefined,
  );
  const { provider } = createPerson(remote.url);
  const error = await failureOf(connectTo({ name: 'web', url: remote.url, authProvider: provider }));
  expect(error).toMatchObject({
    code: 'MCP_UNAUTHORIZED',
    message: expect.stringContaining('the response of its authorization server is malformed'),
  });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('client_sec');
});

it.each([
  [
    'fails',
    'MCP_UNAUTHORIZED',
    (response: ServerResponse) => response.writeHead(503).end('{"error":"server_error"}'),
  ],
  ['disconnects', 'MCP_CONNECTION_LOST', (response: ServerResponse) => response.destroy()],
])('a sign-in may be retried if the authorization server %s', async (_name, code, answer) => {
  const remote = await startOAuthServer();
  remote.intercept(({ url }, response) => (url === '/register' ? answer(response) : undefined));
  const { provider } = createPerson(remote.url);
  const error = await failureOf(connectTo({ name: 'web', url: remote.url, authProvider: provider }));
  expect(error).toMatchObject({ code, isRetryable: true });
});

it.each([
  [
    'fails',
    'responded with status 503',
    (response: ServerResponse) => response.writeHead(503).end('{"error":"server_error"}'),
  ],
  [
    'answers with a page',
    'responded with status 502',
    (response: ServerResponse) => response.writeHead(502).end('<html>'),
  ],
  ['disconnects', 'could not be reached', (response: ServerResponse) => response.destroy()],
])(
  'nobody has to sign in again because the authorization server %s during a refresh',
  async (_name, what, answer) => {
    const warned = vi.spyOn(console, 'warn');
    const { remote, person, tools } = await connectSignedIn();
    remote.expire();
    let isOut = true;
    remote.intercept(({ url }, response) => (isOut && url === '/token' ? answer(response) : undefined));
    await expect(callTool(tools, '__change', { what: 'a' })).rejects.toMatchObject({
      code: 'MCP_UNAUTHORIZED',
      isRetryable: true,
      message: `The MCP server 'web' could not be signed in to (its authorization server ${what}) while calling 'change'.`,
    });
    isOut = false;
    expect(textOf(await callTool(tools, '__change', { what: 'b' }))).toBe('changed b');
    expect(person.pages).toHaveLength(1);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  },
);

it('a person has to sign in again if the refresh token is no longer valid', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { remote, person, tools } = await connectSignedIn();
  remote.expire();
  await person.provider.saveTokens({ access_token: 'old', refresh_token: 'old', token_type: 'bearer' });
  await expect(callTool(tools, '__change', { what: 'a' })).rejects.toMatchObject({
    code: 'MCP_UNAUTHORIZED',
    isRetryable: false,
  });
  expect(person.pages).toHaveLength(2);
  // The server repeats the token, and the MCP library prints why it was refused.
  expect(warned.mock.calls.flat().join(' ')).not.toContain('unknown: ');
  warned.mockRestore();
});

it('a tool that needs a further scope asks for it once', async () => {
  const { remote, person, tools } = await connectSignedIn();
  const challenge = 'Bearer error="insufficient_scope", scope="admin"';
  remote.intercept(({ url }, response) =>
    url === '/mcp' ? response.writeHead(403, { 'www-authenticate': challenge }).end() : undefined,
  );
  await person.provider.invalidateCredentials?.('tokens');
  for (const what of ['a', 'b'])
    await expect(callTool(tools, '__change', { what })).rejects.toMatchObject({ code: 'MCP_UNAUTHORIZED' });
  expect(person.pages.map(({ searchParams }) => searchParams.get('scope'))).toEqual([null, 'admin']);
});
