import { expect, it } from 'vitest';
import { Agent } from '../src/agents/agent.js';
import { Client } from '../src/client/client.js';
import { ConfigurationBuilder } from '../src/client/configuration.js';
import {
  dependsOnAgent,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
} from '../src/decorators/depends-on.js';
import { dependsOnAwaitFor, dependsOnReevaluate } from '../src/decorators/order.js';
import { toolify } from '../src/decorators/toolify.js';
import { toolset } from '../src/decorators/toolset.js';
import { configureLogging } from '../src/logging/logger.js';
import { MCPServer } from '../src/mcp/mcp-server.js';
import { serveMcp } from '../src/mcp/serve/serve-mcp.js';
import { AIMessage, HumanMessage, RedactedMessage, SystemMessage } from '../src/messages/message.js';
import { MemoryScheduleStore } from '../src/scheduling/store/memory-schedule-store.js';
import { every } from '../src/scheduling/schedules.js';
import { Swarm } from '../src/swarms/swarm.js';
import { startScriptedOrchestrator } from '../src/testing/scripted-orchestrator.js';
import { memoryReceiptStore } from '../src/tools/receipts/receipts.js';
import { environmentTwin } from './environment-twin.ts';

/** What JavaScript callers pass where they have no options. */
const nothing = null as never;
const environment = environmentTwin({ SVC_API_KEY: 'key' });
const createAgent = () => new Agent({ name: 'a', apiKey: 'key' });

@toolset
class Desk {
  @toolify({ description: 'Find' })
  find() {}
}

it.each<[string, () => unknown]>([
  ['a client', () => new Client(nothing, { environment }).baseUrl],
  ['a configuration', () => ConfigurationBuilder.fromEnvironment(nothing, environment).baseUrl],
  ['configureLogging', () => configureLogging(nothing)],
  ['a human message', () => new HumanMessage('x', nothing)],
  ['an AI message', () => new AIMessage('x', nothing)],
  ['a system message', () => new SystemMessage('x', nothing)],
  ['a redacted message', () => new RedactedMessage('x', nothing)],
  ['addAgent', () => new Swarm({ name: 's' }).addAgent(createAgent(), nothing)],
  ['addToolset', () => createAgent().addToolset(new Desk(), nothing)],
  ['an order between tools', () => [dependsOnAwaitFor('t', nothing), dependsOnReevaluate('t', nothing)]],
  ['an agent dependency', () => [dependsOnAgent('a', nothing), dependsOnAgent('a', 'x', nothing)]],
  [
    'a tool or private data dependency',
    () => [dependsOnTool('t', nothing), dependsOnPrivateData('k', nothing)],
  ],
  ['a receipt store', () => memoryReceiptStore(nothing)],
  ['a schedule', () => [createAgent().cron('0 9 * * *', nothing), createAgent().every(1_000, nothing)]],
  ['withStore', () => every(1_000).withStore(new MemoryScheduleStore(), nothing)],
  ['serveMcp', async () => serveMcp(createAgent(), nothing).close()],
  ['a scripted orchestrator', async () => (await startScriptedOrchestrator(() => {}, nothing)).close()],
])('%s accepts null for an optional argument', async (_name, call) => {
  expect(await call()).not.toBeInstanceOf(Error);
});

it('a null argument name gives a descriptor, not a decorator', () => {
  expect(dependsOnTool('t', nothing)).toEqual(dependsOnTool('t'));
  expect(dependsOnPrivateData('k', nothing)).toEqual(dependsOnPrivateData('k'));
  expect(dependsOnInterrupt({ prompt: '?', argName: nothing })).toMatchObject({ kind: 'interrupt' });
});

it('the methods of a job accept null as options', async () => {
  const job = every(60_000).run(() => 'ran');
  expect(await job.trigger(nothing)).toMatchObject({ status: 'succeeded' });
  const records = job.runs(nothing);
  await job.stop(nothing);
  expect((await records.next()).done).toBe(true);
});

it('the methods of an MCP server accept null as options', async () => {
  const server = new MCPServer({ name: 'files', command: 'none' });
  await server.close();
  await expect(server.connect(nothing)).rejects.toMatchObject({ code: 'MCP_CLOSED' });
  await expect(server.listTools(nothing)).rejects.toMatchObject({ code: 'MCP_CLOSED' });
});

it('the methods of client.memory accept null as options', async () => {
  await using orchestrator = await startScriptedOrchestrator(() => {}, {
    intercept: ({ method }) => ({ status: 200, body: method === 'GET' ? { items: [] } : {} }),
  });
  const { memory } = orchestrator.client({ projectId: 'p' });
  expect(await memory.skills.list(nothing)).toEqual([]);
  expect(await memory.insights.list(nothing)).toEqual([]);
  expect(await memory.resources.list(nothing)).toEqual([]);
  expect(await memory.resources.listUnbound(nothing)).toEqual([]);
  await memory.skills.delete('s', nothing);
});
