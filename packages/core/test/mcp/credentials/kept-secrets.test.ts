import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { expect, it, onTestFinished } from 'vitest';
import { dependsOnPrivateData } from '../../../src/decorators/depends-on.js';
import { collect, startAgent } from '../../agent-setup.js';
import { startHttpServer } from '../http-servers.js';
import { callTool, connectTo, connectToHostile, textOf } from '../mcp-doubles.js';

const secret = 'sk-live-4711-secret';
const pin = 'canary-of-a-person';

it('credentials in env are removed from a server’s answer, and its other values stay', async () => {
  const env = {
    SERVER_KEY: secret,
    SERVER_HOST: 'host-4711.example',
    DATABASE_URL: 'postgres://me:pass-word-4711@db.example/a',
    SHORT_TOKEN: 'text',
  };
  const tools = await connectToHostile('good', { env }).listTools();
  const answer = textOf(await callTool(tools, '__do_it'));
  expect(JSON.parse(answer)).toMatchObject({
    env: {
      SERVER_KEY: '{_{SERVER_KEY}_}',
      SERVER_HOST: 'host-4711.example',
      DATABASE_URL: 'postgres://me:{_{DATABASE_URL}_}@db.example/a',
    },
  });
});

it('an inherited credential is removed from a server’s answer', async () => {
  process.env['SVC_TEST_TOKEN'] = secret;
  onTestFinished(() => void delete process.env['SVC_TEST_TOKEN']);
  const tools = await connectToHostile('good', { inheritEnv: ['SVC_TEST_TOKEN'] }).listTools();
  expect(JSON.parse(textOf(await callTool(tools, '__do_it')))).toMatchObject({
    env: { SVC_TEST_TOKEN: '{_{SVC_TEST_TOKEN}_}' },
  });
});

it('a credential in a long env is removed from a server’s answer', async () => {
  const others = Array.from({ length: 100 }, (_, at) => [`OTHER_${at}`, `value-${at}`] as const);
  const env = { SERVER_KEY: secret, ...Object.fromEntries(others) };
  const tools = await connectToHostile('good', { env }).listTools();
  expect(textOf(await callTool(tools, '__do_it'))).not.toContain(secret);
});

it.each([
  [['--token', secret]],
  [[`--api-key=${secret}`]],
  [[`SERVER_KEY=${secret}`]],
  [['--header', `Authorization: Bearer ${secret}`]],
  [[`postgres://me:${secret}@db.example/a`]],
  [['--database', `postgres://me:${secret}@db.example/a`]],
  [[`--url=https://host-4711.example/mcp?access_token=${secret}`]],
])('a credential in the arguments is removed from a server’s answer: %j', async (args) => {
  const tools = await connectToHostile('good', { args }).listTools();
  const answer = textOf(await callTool(tools, '__do_it'));
  expect(answer).not.toContain(secret);
  expect(answer).toContain('}_}');
});

it.each([
  [['/srv/docs-4711']],
  [['--root', '/srv/docs-4711']],
  [['--no-auth', '/srv/docs-4711']],
  [['--token', '--verbose', '/srv/docs-4711']],
  [['--url=https://host-4711.example/mcp']],
])('other arguments stay in a server’s answer: %j', async (args) => {
  const tools = await connectToHostile('good', { args }).listTools();
  expect(textOf(await callTool(tools, '__do_it'))).toContain(JSON.stringify(args.at(-1)));
});

it('a credential in the URL is removed from a server’s answer', async () => {
  const { url } = await startHttpServer();
  const tools = await connectTo({ name: 'web', url: `${url}?token=${secret}&unit=metric-4711` }).listTools();
  const answer = await callTool(tools, '__greet', { name: `${secret} metric-4711` });
  expect(textOf(answer)).toBe('Hello {_{token}_} metric-4711');
});

it('a credential in the URL is removed from an answer even after many requests with other tokens', async () => {
  const { url } = await startHttpServer();
  let requests = 0;
  const headers = () => ({ authorization: `Bearer token-of-request-${(requests += 1)}` });
  const tools = await connectTo({ name: 'web', url: `${url}?token=${secret}`, headers }).listTools();
  for (let call = 0; call < 80; call += 1) await callTool(tools, '__greet', { name: 'Ada' });
  expect(textOf(await callTool(tools, '__greet', { name: secret }))).toBe('Hello {_{token}_}');
});

const signIn = (expectedIssuer: string) =>
  new ClientCredentialsProvider({ clientId: 'me', clientSecret: secret, expectedIssuer });

it('the access token of the authProvider is removed from a server’s answer', async () => {
  const { url } = await startHttpServer();
  const authProvider = signIn(new URL(url).origin);
  authProvider.saveTokens({ access_token: 'token-4711-of-the-server', token_type: 'Bearer' });
  const tools = await connectTo({ name: 'web', url, authProvider }).listTools();
  const answer = await callTool(tools, '__greet', { name: 'token-4711-of-the-server' });
  expect(textOf(answer)).toBe('Hello {_{authorization}_}');
});

it.each(['client_secret_basic', 'client_secret_post'])(
  'a client secret sent by %s is removed from the error of a failed sign-in',
  async (method) => {
    const server = createServer((request, response) => {
      const origin = `http://${request.headers.host}`;
      if (request.url === '/token') return response.writeHead(400).end(`Wrong secret: ${secret}`);
      if (request.url === '/mcp') return response.writeHead(401).end();
      if (!request.url?.includes('oauth-authorization-server')) return response.writeHead(404).end();
      return response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          issuer: origin,
          token_endpoint: `${origin}/token`,
          authorization_endpoint: `${origin}/authorize`,
          response_types_supported: ['code'],
          token_endpoint_auth_methods_supported: [method],
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`;
    const refused: unknown = await connectTo({ name: 'web', url, authProvider: signIn(new URL(url).origin) })
      .connect()
      .catch((error: unknown) => error);
    expect(inspect(refused, { depth: 9 })).toContain('Wrong secret: {_{');
    expect(inspect(refused, { depth: 9 })).not.toContain(secret);
  },
);

it('a new token is removed from the error of an authProvider that cannot save it', async () => {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const answer = (body: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (request.url === '/mcp') return response.writeHead(401).end();
    if (request.url === '/token') return answer({ access_token: 'new-token-4711', token_type: 'Bearer' });
    if (!request.url?.includes('oauth-authorization-server')) return response.writeHead(404).end();
    const endpoints = { token_endpoint: `${origin}/token`, authorization_endpoint: `${origin}/authorize` };
    return answer({ issuer: origin, ...endpoints, response_types_supported: ['code'] });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const authProvider = Object.assign(signIn(origin), {
    saveTokens: (tokens: object) => Promise.reject(new Error(`cannot save ${JSON.stringify(tokens)}`)),
  });
  const failed: unknown = await connectTo({ name: 'web', url: `${origin}/mcp`, authProvider })
    .connect()
    .catch((error: unknown) => error);
  expect(String(failed)).toContain('cannot save {"access_token":"{_{access_token}_}"');
  expect(inspect(failed, { depth: 9, showHidden: true })).not.toContain('new-token');
});

it('an agent shows neither a server’s credentials nor, where long text is cut, parts of private values', async () => {
  await using setup = await startAgent(
    async (session) => {
      const result = await session.callTool('hostile__repeat', {}, 'ev-1');
      session.finish({ responses: ['done'], result });
    },
    { privateData: { pin } },
  );
  setup.agent.addTool(
    connectToHostile('repeats', {
      env: { SERVER_KEY: secret },
      inject: { pin: dependsOnPrivateData('pin') },
    }),
  );
  const events = await collect(setup.agent.stream('go'));
  const text = JSON.stringify([events, setup.orchestrator.requests.map(({ body }) => body)]);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(pin.slice(0, 5));
  expect(text).toContain('Works with {_{SERVER_KEY}_}');
  expect(events.find(({ name }) => name === 'tool_log')?.payload['message']).toHaveLength(4_000);
});
