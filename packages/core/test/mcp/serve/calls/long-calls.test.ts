import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CancelledNotificationSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from '../../../../src/agents/agent.js';
import { dependsOnInterrupt } from '../../../../src/decorators/depends-on.js';
import { serveMcp, type ServeMcpOptions } from '../../../../src/mcp/serve/serve-mcp.js';
import { startAgent } from '../../../agent-setup.js';

/** Connects a client of the official library whose user never answers. */
async function connect(agent: Agent, options: ServeMcpOptions) {
  const service = serveMcp(agent, options);
  const server = createServer((request, response) => void service.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  const lines: unknown[] = [];
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void lines.push(params.data),
  );
  client.setRequestHandler(ElicitRequestSchema, async () => new Promise<never>(() => {}));
  onTestFinished(async () => {
    await client.close();
    await service.close();
    server.closeAllConnections();
    server.close();
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
  return { client, lines, service };
}

describe('a call of a client', () => {
  it('keeps its session, even if it takes longer than sessionIdleMs', async () => {
    await using setup = await startAgent([]);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    setup.agent.toolify({ name: 'work', description: 'Work' }, async (_args, { signal }) => {
      signal.addEventListener('abort', () => resolve());
      setTimeout(resolve, 2_500);
      await end;
      return 'done';
    });
    const { client } = await connect(setup.agent, { offer: 'tools', sessionIdleMs: 1_000 });
    expect(await client.callTool({ name: 'work' }, undefined, { timeout: 30_000 })).toMatchObject({
      content: [{ text: 'done' }],
    });
  });

  it('is answered when the service is closed, and its signal aborts', async () => {
    await using setup = await startAgent([]);
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    setup.agent.toolify({ name: 'work', description: 'Work' }, async (_args, { signal }) => {
      signal.addEventListener('abort', () => abort());
      begin();
      await aborted;
    });
    const { client, service } = await connect(setup.agent, { offer: 'tools' });
    const called = client.callTool({ name: 'work' });
    await began;
    await service.close();
    await expect(called).rejects.toThrow('Connection closed');
    await aborted;
  });

  it('sends all log lines, or those from the level that the client has set', async () => {
    await using setup = await startAgent([]);
    setup.agent.toolify({ name: 'work', description: 'Work' }, async (_args, { reportLog }) => {
      for (const level of ['debug', 'warning', 'error'] as const) await reportLog({ level, message: level });
    });
    const { client, lines } = await connect(setup.agent, { offer: 'tools' });
    await client.callTool({ name: 'work' });
    expect(lines.splice(0)).toEqual(['debug', 'warning', 'error']);
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'work' });
    expect(lines).toEqual(['warning', 'error']);
  });

  it('to a tool fails when the question for an argument expires', async () => {
    await using setup = await startAgent([]);
    const inject = { size: dependsOnInterrupt({ prompt: 'Which size?', expiresInMs: 100 }) };
    setup.agent.toolify({ name: 'buy', description: 'Buy', inject }, ({ size }) => size);
    const { client } = await connect(setup.agent, { offer: 'tools' });
    expect(await client.callTool({ name: 'buy' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('[INTERRUPT_EXPIRED]') }],
    });
  });

  it('that the client cancels ends its HTTP response, but not its session', async () => {
    await using setup = await startAgent([]);
    const started = Promise.withResolvers<void>();
    setup.agent.toolify({ name: 'hang', description: 'Hang' }, async () => {
      started.resolve();
      await new Promise<never>(() => {});
    });
    await using service = serveMcp(setup.agent, { offer: 'tools' });
    let session: Record<string, string> = {};
    const send = async (message: object) => {
      const accept = 'application/json, text/event-stream';
      const headers = { 'content-type': 'application/json', accept, ...session };
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      return service.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
    };
    const clientInfo = { name: 'x', version: '1' };
    const greeting = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const greeted = await send({ id: 1, method: 'initialize', params: greeting });
    session = { 'mcp-session-id': greeted.headers.get('mcp-session-id') ?? '' };
    const called = await send({ id: 2, method: 'tools/call', params: { name: 'hang', arguments: {} } });
    await started.promise;
    await send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    // Without an answer, the response would not end before the session.
    expect(await called.text()).toContain('"id":2');
    expect((await send({ id: 3, method: 'ping' })).status).toBe(200);
  });

  it('to an agent continues when a question of its run expires', async () => {
    await using setup = await startAgent(async (session) => {
      const bought = await session.callTool('buy', {}, 'ev-1');
      session.finish({ responses: ['went on'], result: bought });
    });
    setup.agent.toolify(
      {
        name: 'buy',
        description: 'Buy',
        inject: { size: dependsOnInterrupt({ prompt: 'Which size?', expiresInMs: 100 }) },
      },
      ({ size }) => size,
    );
    const { client } = await connect(setup.agent, {});
    const result = await client.callTool({ name: 'billing', arguments: { message: 'go' } });
    expect(JSON.stringify(result)).toContain('INTERRUPT_EXPIRED');
    expect(result).toMatchObject({ isError: false, content: [{ text: 'went on' }] });
  });

  it('to an agent ends with its run, even if a question is open', async () => {
    await using setup = await startAgent(async (session) => {
      await session.callTool('buy', {}, 'ev-1');
    });
    setup.agent.toolify(
      { name: 'buy', description: 'Buy', inject: { size: dependsOnInterrupt({ prompt: 'Which size?' }) } },
      ({ size }) => size,
    );
    const { client } = await connect(setup.agent, {});
    let asked: unknown;
    const withdrawn: unknown[] = [];
    client.setNotificationHandler(
      CancelledNotificationSchema,
      ({ params }) => void withdrawn.push(params.requestId),
    );
    client.setRequestHandler(ElicitRequestSchema, async (_request, { requestId }) => {
      asked = requestId;
      await setup.agent.close();
      return new Promise<never>(() => {});
    });
    const result = await client.callTool({ name: 'billing', arguments: { message: 'go' } });
    await expect.poll(() => withdrawn).toEqual([asked]);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/cancelled/) }] });
  });
});
