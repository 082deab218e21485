import { createServer } from 'node:http';
import {
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  requireBearerAuth,
} from '@modelcontextprotocol/server';
import { expect, it, onTestFinished } from 'vitest';
import { serveMcp } from '../../../src/mcp/serve/serve-mcp.js';
import { startAgent } from '../../agent-setup.js';
import { callTool, connectTo, textOf } from '../mcp-doubles.js';
import { createPerson, startOAuthServer } from '../oauth-server.js';

it('a served agent can be a resource server of OAuth, whose sessions outlast the tokens', async () => {
  await using setup = await startAgent([]);
  setup.agent.toolify({ name: 'greet', description: 'Greet' }, () => 'Hello');
  const issuer = await startOAuthServer();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`);
  const verifyAccessToken = async (token: string) => {
    if (!issuer.isValid(token)) throw new OAuthError(OAuthErrorCode.InvalidToken, 'expired');
    return { token, clientId: 'client-1', scopes: [], expiresAt: Date.now() / 1_000 + 60 };
  };
  const gate = requireBearerAuth({
    verifier: { verifyAccessToken },
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url),
  });
  const service = serveMcp(setup.agent, {
    offer: 'tools',
    async authorize(request) {
      const admitted = await gate(request);
      return admitted instanceof Response ? admitted : { client: admitted.clientId };
    },
  });
  const described = await fetch(`${issuer.origin}/.well-known/oauth-authorization-server`);
  const oauthMetadata = JSON.parse(await described.text());
  const sessions = new Set<unknown>();
  server.on('request', (request, response) => {
    void (async () => {
      const asked = new Request(new URL(request.url ?? '', url));
      const options = { oauthMetadata, resourceServerUrl: url, dangerouslyAllowInsecureIssuerUrl: true };
      const document = oauthMetadataResponse(asked, options);
      if (!document) {
        sessions.add(request.headers['mcp-session-id']);
        return service.handle(request, response);
      }
      response.writeHead(document.status, Object.fromEntries(document.headers));
      response.end(await document.text());
    })();
  });
  onTestFinished(async () => {
    await service.close();
    server.closeAllConnections();
    server.close();
  });
  const person = createPerson(url.href);
  const remote = connectTo({ name: 'web', url: url.href, authProvider: person.provider });
  await expect(remote.connect()).rejects.toMatchObject({ code: 'MCP_UNAUTHORIZED' });
  await person.signIn();
  const tools = await remote.listTools();
  expect(textOf(await callTool(tools, '__greet'))).toBe('Hello');
  issuer.expire();
  expect(textOf(await callTool(tools, '__greet'))).toBe('Hello');
  expect(person.pages).toHaveLength(1);
  sessions.delete(undefined);
  expect(sessions.size).toBe(1);
});
