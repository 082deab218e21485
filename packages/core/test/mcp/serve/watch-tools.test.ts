import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { dependsOnTool } from '../../../src/decorators/depends-on.js';
import { getLogger } from '../../../src/logging/logger.js';
import { offerTools } from '../../../src/mcp/serve/offers/offer-tools.js';
import type { ServableAgent } from '../../../src/mcp/serve/offers/servable-agent.js';
import { serveMcp } from '../../../src/mcp/serve/serve-mcp.js';
import { systemRuntime } from '../../../src/runtime.js';
import { startAgent } from '../../agent-setup.js';
import { connectClient, serve } from './serve-doubles.js';

it('connected clients are notified of added tools, once for those that are added together', async () => {
  await using setup = await startAgent([]);
  const add = (name: string) => setup.agent.toolify({ name, description: 'Any' }, () => 1);
  add('first');
  const { url } = await serve(setup.agent, { offer: 'tools' });
  const { client, listening } = await connectClient(url);
  expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } });
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  await listening;
  for (const name of ['a', 'b', 'c']) add(name);
  await expect.poll(() => changes).toBe(1);
  expect((await client.listTools()).tools).toHaveLength(4);
  add('d');
  await expect.poll(() => changes).toBe(2);
  expect((await client.listTools()).tools).toHaveLength(5);
});

it('a listener is called only for tools that are offered, and until it is removed', async () => {
  await using setup = await startAgent([]);
  const add = (name: string, inject = {}) =>
    setup.agent.toolify({ name, description: 'Any', inject }, () => 1);
  let changes = 0;
  const offer = offerTools(setup.agent, {
    tools: undefined,
    toolTimeoutMs: 1_000,
    logger: getLogger(),
    runtime: systemRuntime,
  });
  const stop = offer.watchTools?.(() => void (changes += 1));
  add('first');
  expect(changes).toBe(1);
  add('dependent', { first: dependsOnTool('first') });
  expect(changes).toBe(1);
  stop?.();
  add('second');
  expect(changes).toBe(1);
});

it('a closed service no longer watches its agent for added tools', async () => {
  await using setup = await startAgent([]);
  let watching = 0;
  const agent: ServableAgent = {
    name: 'watched',
    description: undefined,
    privateData: {},
    privateValues: () => [],
    listTools: () => [],
    stream: (message) => setup.agent.stream(message),
    onToolsAdded() {
      watching += 1;
      return () => void (watching -= 1);
    },
  };
  const service = serveMcp(agent, { offer: 'tools' });
  expect(watching).toBe(1);
  await service.close();
  expect(watching).toBe(0);
});
