import { expect, it } from 'vitest';
import { dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { collect, startAgent } from '../agent-setup.js';
import { callTool, connectToHostile, textOf } from './mcp-doubles.js';

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
