import { describe, expect, it } from 'vitest';
import { dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { MCPServer } from '../../src/mcp/mcp-server.js';
import { collect, startAgent } from '../agent-setup.js';
import { findServer } from './mcp-doubles.js';
import { startHttpServer } from './http-servers.js';

function everything(more: object = {}): MCPServer {
  const args = [findServer('@modelcontextprotocol/server-everything')];
  return new MCPServer({ name: 'everything', command: process.execPath, args, ...more });
}

describe('an agent with an MCP server', () => {
  it('calls the server’s tools with private values that neither the planner nor the stream sees', async () => {
    await using setup = await startAgent(
      async (session) => {
        const result = await session.callTool('everything__echo', { message: 'from the planner' }, 'ev-1');
        session.finish({ responses: ['done'], result });
      },
      { privateData: { greeting: 'hello-4711-secret' } },
    );
    const server = everything({ tools: ['echo'], inject: { message: dependsOnPrivateData('greeting') } });
    setup.agent.addTool(server);
    const run = setup.agent.stream('go');
    const events = await collect(run);
    expect(await run.response).toMatchObject({
      result: { status: 'ok', result: { is_error: false, content: [{ text: 'Echo: {_{greeting}_}' }] } },
    });
    expect(events[0]?.payload).toMatchObject({ tool_type: 'mcp', tool_id: 'ev-1', status: 'executing' });
    const [{ tools }] = setup
      .bodies('/start-session')
      .map((body) => (body as { state: { tools: unknown[] } }).state ?? body) as [{ tools: unknown[] }];
    expect(tools).toMatchObject([
      {
        name: 'everything__echo',
        tool_type: 'mcp',
        metadata: { mcp_server: 'everything', mcp_tool_name: 'echo' },
        args_schema: { properties: { message: { type: 'data_dependency', data_key: 'greeting' } } },
      },
    ]);
    expect(JSON.stringify([setup.orchestrator.requests.map(({ body }) => body), events])).not.toContain(
      '4711',
    );
    await setup.agent.close();
    expect(server.isConnected).toBe(false);
  });

  it('shows the server’s progress on the card of the call', async () => {
    await using setup = await startAgent(async (session) => {
      await session.callTool(
        'everything__trigger_long_running_operation',
        { duration: 0.1, steps: 2 },
        'ev-1',
      );
      session.finish({ responses: ['done'] });
    });
    setup.agent.addTool(everything({ tools: ['trigger-long-running-operation'] }));
    const events = await collect(setup.agent.stream('go'));
    const cards = events.filter(({ name }) => name === 'tool_event').map(({ payload }) => payload);
    expect(new Set(cards.map((card) => card['tool_id']))).toEqual(new Set(['ev-1']));
    expect(
      cards.map((card) => (card['tool'] as { progress?: { progress: number } }).progress?.progress),
    ).toEqual([undefined, 1, 2, undefined]);
  });

  it('lets a person answer the server’s questions as interrupts of the run', async () => {
    const remote = await startHttpServer();
    await using setup = await startAgent(async (session) => {
      const result = await session.callTool('web__ask', {}, 'ev-1');
      session.finish({ responses: ['done'], result });
    });
    setup.agent.addTool(new MCPServer({ name: 'web', url: remote.url }));
    const run = setup.agent.stream('go');
    for await (const { name, payload } of run) {
      if (name === 'interrupt_required') await run.answer(String(payload['interrupt_id']), 'yes');
    }
    expect(JSON.stringify(await run.response)).toContain('\\"sure\\":true');
  });

  it('closes a question that the server withdraws', async () => {
    const remote = await startHttpServer();
    await using setup = await startAgent(async (session) => {
      const result = await session.callTool('web__ask_twice', {}, 'ev-1');
      session.finish({ responses: ['done'], result });
    });
    setup.agent.addTool(new MCPServer({ name: 'web', url: remote.url }));
    const run = setup.agent.stream('go');
    const ids: string[] = [];
    for await (const { name, payload } of run) {
      if (name !== 'interrupt_required') continue;
      ids.push(String(payload['interrupt_id']));
      if (ids.length === 1) remote.withdraw();
      else {
        await expect(run.answer(ids[0] ?? '', 'no')).rejects.toMatchObject({ code: 'INTERRUPT_NOT_OPEN' });
        await run.answer(ids[1] ?? '', 'yes');
      }
    }
    expect(JSON.stringify(await run.response)).toContain('\\"sure\\":true');
  });

  it('cancels the server’s call when the run is cancelled', async () => {
    const remote = await startHttpServer();
    await using setup = await startAgent(async (session) => {
      await session.callTool('web__slow', {}, 'ev-1');
    });
    setup.agent.addTool(new MCPServer({ name: 'web', url: remote.url }));
    const run = setup.agent.stream('go');
    for await (const { name } of run) {
      if (name === 'tool_log') break;
    }
    await expect.poll(() => remote.cancelled).toEqual(['slow']);
  });

  it('fails a run without a request to the orchestrator when the server cannot be started', async () => {
    await using setup = await startAgent(async (session) => session.finish({ responses: ['never'] }));
    setup.agent.addTool(new MCPServer({ name: 'gone', command: '/no/such/program' }));
    await expect(setup.agent.invoke('go')).rejects.toMatchObject({ code: 'MCP_COMMAND_NOT_FOUND' });
    expect(setup.orchestrator.requests).toEqual([]);
  });
});
