import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { onTestFinished } from 'vitest';
import * as z from 'zod';

/** Answers a request instead of the server; without a return value, the server answers it. */
type Intercept = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Starts a server of the official library behind OAuth, with its authorization server. Access tokens expire on demand,
 * and a refresh token is valid once. It stops when the test ends.
 */
export async function startOAuthServer() {
  const accessTokens = new Set<string>();
  const refreshTokens = new Set<string>();
  const codes = new Set<string>();
  const sessions = new Map<unknown, StreamableHTTPServerTransport>();
  const requests: string[] = [];
  const changes: string[] = [];
  let intercept: Intercept | undefined;
  let origin = '';

  const issue = () => {
    const tokens = { access_token: `access-${randomUUID()}`, refresh_token: `refresh-${randomUUID()}` };
    accessTokens.add(tokens.access_token);
    refreshTokens.add(tokens.refresh_token);
    return { ...tokens, token_type: 'bearer', expires_in: 3_600 };
  };
  const exchange = (form: URLSearchParams) => {
    const isRefresh = form.get('grant_type') === 'refresh_token';
    const grant = form.get(isRefresh ? 'refresh_token' : 'code') ?? '';
    const isKnown = (isRefresh ? refreshTokens : codes).delete(grant);
    return isKnown
      ? ([200, issue()] as const)
      : ([400, { error: 'invalid_grant', error_description: `unknown: ${grant}` }] as const);
  };
  const routes: Readonly<
    Record<string, (request: IncomingMessage, url: URL, response: ServerResponse) => unknown>
  > = {
    '/.well-known/oauth-protected-resource/mcp': () => [
      200,
      { resource: `${origin}/mcp`, authorization_servers: [origin] },
    ],
    '/.well-known/oauth-authorization-server': () => [
      200,
      {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      },
    ],
    '/register': async (request) => [
      201,
      { ...Object(JSON.parse(await text(request))), client_id: 'client-1' },
    ],
    '/authorize': (_request, { searchParams }, response) => {
      const code = `code-${randomUUID()}`;
      codes.add(code);
      response.writeHead(302, { location: `${searchParams.get('redirect_uri')}?code=${code}` }).end();
    },
    '/token': async (request) => exchange(new URLSearchParams(await text(request))),
    '/mcp': async (request, _url, response) => {
      const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (!accessTokens.has(token)) return [401, { error: `expired: ${token}` }];
      const known = sessions.get(request.headers['mcp-session-id']);
      await (known ?? (await openSession(sessions, changes))).handleRequest(request, response);
    },
  };
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '', origin);
      requests.push(`${request.method} ${url.pathname}`);
      if (intercept && (await intercept(request, response)) !== undefined) return;
      const answer = await (routes[url.pathname] ?? (() => [404, {}]))(request, url, response);
      if (!Array.isArray(answer)) return;
      response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    origin,
    url: `${origin}/mcp`,
    requests,
    /** What calls of the tool `change` have changed. */
    changes,
    /** Lets every access token expire. */
    expire: () => accessTokens.clear(),
    /** Whether an access token is valid. */
    isValid: (token: string) => accessTokens.has(token),
    /** Has requests answered by a function from now on. */
    intercept: (by: Intercept) => void (intercept = by),
  };
}

async function openSession(sessions: Map<unknown, StreamableHTTPServerTransport>, changes: string[]) {
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  const server = new McpServer({ name: 'protected', version: '1' });
  server.registerTool('change', { inputSchema: { what: z.string() } }, ({ what }) => {
    changes.push(what);
    return { content: [{ type: 'text', text: `changed ${what}` }] };
  });
  await server.connect(transport);
  return transport;
}

/** A person who signs in at a browser, and the provider that remembers it. */
export function createPerson(url: string, more: Partial<OAuthClientProvider> = {}) {
  const pages: URL[] = [];
  let client: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  const redirectUrl = 'http://127.0.0.1/callback';
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl] },
    clientInformation: () => client,
    saveClientInformation: (information) => void (client = information),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (page) => void pages.push(page),
    saveCodeVerifier: (code) => void (verifier = code),
    codeVerifier: () => verifier,
    invalidateCredentials: () => void (tokens = undefined),
    ...more,
  };
  return {
    provider,
    /** The pages that were opened to sign in. */
    pages,
    /** Signs in at the page that was opened last. */
    async signIn(): Promise<void> {
      const { headers } = await fetch(pages.at(-1) ?? '', { redirect: 'manual' });
      const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
      await auth(provider, { serverUrl: url, authorizationCode: code });
    },
  };
}
