import { expect, it } from 'vitest';
import { dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { collect, startAgent } from '../agent-setup.js';
import { startHttpServer } from './http-servers.js';
import { callTool, connectTo, connectToHostile, textOf } from './mcp-doubles.js';

const secret = 'sk-live-4711-secret';
const pin = 'canary-of-a-person';

it('a server that repeats what it was given in confidence brings no credential into its answer, and all else', async () => {
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

it.each([
  ['--token', secret],
  [`--api-key=${secret}`],
  [`SERVER_KEY=${secret}`],
  ['--header', `Authorization: Bearer ${secret}`],
  [`postgres://me:${secret}@db.example/a`],
  ['--database', `postgres://me:${secret}@db.example/a`],
  [`--url=https://host-4711.example/mcp?access_token=${secret}`],
])('nor one that it was given in its arguments: %s %s', async (...args) => {
  const tools = await connectToHostile('good', { args }).listTools();
  const answer = textOf(await callTool(tools, '__do_it'));
  expect(answer).not.toContain(secret);
  expect(answer).toContain('}_}');
});

it.each([
  ['/srv/docs-4711'],
  ['--root', '/srv/docs-4711'],
  ['--no-auth', '/srv/docs-4711'],
  ['--token', '--verbose', '/srv/docs-4711'],
  ['--url=https://host-4711.example/mcp'],
])('and other arguments stay: %s %s %s', async (...args) => {
  const tools = await connectToHostile('good', { args }).listTools();
  expect(textOf(await callTool(tools, '__do_it'))).toContain(JSON.stringify(args.at(-1)));
});

it('nor one that stands in its address', async () => {
  const { url } = await startHttpServer();
  const tools = await connectTo({ name: 'web', url: `${url}?token=${secret}&unit=metric-4711` }).listTools();
  const answer = await callTool(tools, '__greet', { name: `${secret} metric-4711` });
  expect(textOf(answer)).toBe('Hello {_{token}_} metric-4711');
});

it('an agent with such a server shows nothing of it, nor of private values where a long text is cut', async () => {
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
