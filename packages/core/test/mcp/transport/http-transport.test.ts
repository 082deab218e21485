import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { expect, it, onTestFinished } from 'vitest';
import { connectTo } from '../mcp-doubles.js';

it('a server that refuses its event stream after a sign-in is usable, and is not signed in to again and again', async () => {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const origin = `http://${request.headers.host}`;
    const answer = (body: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (request.url === '/token') return answer({ access_token: 'token-4711', token_type: 'Bearer' });
    if (request.url === '/.well-known/oauth-authorization-server') {
      const endpoints = { token_endpoint: `${origin}/token`, authorization_endpoint: `${origin}/authorize` };
      return answer({ issuer: origin, ...endpoints, response_types_supported: ['code'] });
    }
    if (request.url !== '/mcp') return response.writeHead(404).end();
    if (request.method !== 'POST' || !request.headers.authorization) return response.writeHead(401).end();
    const { id, method, params } = Object(await json(request));
    if (id === undefined) return response.writeHead(202).end();
    const { protocolVersion } = params;
    const opened = {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'half', version: '1' },
    };
    return answer({ jsonrpc: '2.0', id, result: method === 'initialize' ? opened : { tools: [] } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const origin = `http://127.0.0.1:${port}`;
  const authProvider = new ClientCredentialsProvider({
    clientId: 'me',
    clientSecret: 'sk-live-4711-secret',
    expectedIssuer: `${origin}/`,
  });
  const client = connectTo({ name: 'web', url: `${origin}/mcp`, authProvider });
  expect(await client.listTools()).toEqual([]);
  const streams = () => requests.filter((request) => request === 'GET /mcp').length;
  await expect.poll(streams).toBe(2);
  await wait(200);
  expect(streams()).toBe(2);
  expect(requests.filter((request) => request === 'POST /token')).toHaveLength(2);
});
