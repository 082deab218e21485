import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Agent } from '../../../src/agents/agent.js';
import { dependsOnInterrupt } from '../../../src/decorators/depends-on.js';
import type { ServableAgent } from '../../../src/mcp/serve/offers/servable-agent.js';
import { serveMcp } from '../../../src/mcp/serve/serve-mcp.js';
import type { Swarm } from '../../../src/swarms/swarm.js';
import { startAgent } from '../../agent-setup.js';
import { callTool } from '../mcp-doubles.js';
import { connectClient, serve } from './serve-doubles.js';

expectTypeOf<Agent>().toExtend<ServableAgent>();
expectTypeOf<Swarm>().toExtend<ServableAgent>();

const post = (headers: Record<string, string> = {}, body: unknown = initialize) =>
  new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

describe('an agent, offered over MCP', () => {
  it('is one tool that takes a message and returns the answer', async () => {
    await using setup = await startAgent(
      async (session) => {
        session.say('Hello Ada.');
        session.finish({ responses: ['Hello Ada.'], result: { greeted: 'Ada' } });
      },
      { description: 'Greets people' },
    );
    const { server } = await serve(setup.agent);
    const tools = await server.listTools();
    expect(tools).toMatchObject([
      { name: 'billing', description: 'Greets people', inputSchema: { required: ['message'] } },
    ]);
    expect(await callTool(tools, 'billing', { message: 'Greet Ada' })).toEqual({
      is_error: false,
      content: [{ type: 'text', text: 'Hello Ada.' }],
      structured_content: { response: 'Hello Ada.', result: { greeted: 'Ada' } },
    });
    expect(JSON.stringify(setup.bodies('/start-session'))).toContain('Greet Ada');
  });

  it('reports the tool events of its run as progress', async () => {
    await using setup = await startAgent(async (session) => {
      await session.callTool('look_up', {}, 'ev-1');
      session.finish({ responses: ['done'] });
    });
    setup.agent.toolify({ name: 'look_up', description: 'Look something up' }, () => 'found');
    const { url } = await serve(setup.agent);
    const { client } = await connectClient(url);
    const progress: unknown[] = [];
    await client.callTool({ name: 'billing', arguments: { message: 'go' } }, undefined, {
      onprogress: (step) => void progress.push(step),
    });
    expect(progress).toEqual([
      { progress: 1, message: 'look_up: executing' },
      { progress: 2, message: 'look_up: completed' },
    ]);
  });

  it('forwards the questions of its run to the client', async () => {
    await using setup = await startAgent(async (session) => {
      const result = await session.callTool('buy', {}, 'ev-1');
      session.finish({ responses: ['bought'], result });
    });
    setup.agent.toolify(
      {
        name: 'buy',
        description: 'Buy',
        inject: { size: dependsOnInterrupt({ prompt: 'Which size?', choices: ['S', 'L'] }) },
      },
      ({ size }) => size,
    );
    const { url } = await serve(setup.agent);
    const forms: unknown[] = [];
    const { client } = await connectClient(url, (form) => {
      forms.push(form);
      return { action: 'accept', content: { size: 'L' } };
    });
    const result = await client.callTool({ name: 'billing', arguments: { message: 'go' } });
    expect(JSON.stringify(result)).toContain('"result":{"status":"ok","result":"L"}');
    expect(forms).toMatchObject([
      { message: 'Which size?', requestedSchema: { properties: { size: { enum: ['S', 'L'] } } } },
    ]);
  });

  it.each([
    ['declines', (): ElicitResult => ({ action: 'decline' }), /declined/],
    ['does not support questions', undefined, /does not support questions/],
  ])('ends its run when it asks a question and the client %s', async (_what, answer, message) => {
    await using setup = await startAgent(async (session) => {
      await session.callTool('buy', {}, 'ev-1');
    });
    setup.agent.toolify(
      { name: 'buy', description: 'Buy', inject: { size: dependsOnInterrupt({ prompt: 'Which size?' }) } },
      ({ size }) => size,
    );
    const { url } = await serve(setup.agent);
    const { client } = await connectClient(url, answer);
    const result = await client.callTool({ name: 'billing', arguments: { message: 'go' } });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(message) }] });
    expect(setup.agent.runs.size).toBe(0);
  });

  it('returns errors as results: a failed run, invalid arguments, a closed agent', async () => {
    await using setup = await startAgent(async (session) =>
      session.finish({ status: 'failed', error: 'it broke', responses: [] }),
    );
    const { server } = await serve(setup.agent);
    const tools = await server.listTools();
    expect(await callTool(tools, 'billing', { message: 'go' })).toMatchObject({
      is_error: true,
      content: [{ text: expect.stringContaining('it broke') }],
    });
    const { url } = await serve(setup.agent);
    const { client } = await connectClient(url);
    expect(await client.callTool({ name: 'billing', arguments: { text: 'go' } })).toMatchObject({
      isError: true,
    });
    await expect(client.callTool({ name: 'other' })).rejects.toMatchObject({ code: -32602 });
    await setup.agent.close();
    expect(await client.callTool({ name: 'billing', arguments: { message: 'go' } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('RUN_SCOPE_CLOSED') }],
    });
  });

  it('cancels its run when the client cancels the call', async () => {
    const started = Promise.withResolvers<void>();
    await using setup = await startAgent(async (session) => {
      await session.callTool('wait', {}, 'ev-1');
    });
    setup.agent.toolify({ name: 'wait', description: 'Wait' }, async (_args, { signal }) => {
      started.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const { url } = await serve(setup.agent);
    const { client } = await connectClient(url);
    const stop = new AbortController();
    const call = client.callTool({ name: 'billing', arguments: { message: 'go' } }, undefined, {
      signal: stop.signal,
    });
    await started.promise;
    stop.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => setup.agent.runs.size).toBe(0);
  });
});

it.each([undefined, {}, Promise.resolve({})])('serveMcp refuses %s instead of an agent', (agent) => {
  expect(() => serveMcp(agent as never)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID_OPTION',
      message: expect.stringContaining('serveMcp expects an agent or a swarm, got '),
    }),
  );
});

describe('an MCP service', () => {
  it.each([
    ['a foreign host', { host: 'evil.example' }, {}, 403],
    ['a page of another origin', { host: 'localhost:8080', origin: 'https://evil.example' }, {}, 403],
    ['a page without an origin', { host: 'localhost:8080', origin: 'null' }, {}, 403],
    ['another port', { host: 'tools.example:80' }, { allowedHosts: ['tools.example:443'] }, 403],
    ['an allowed port', { host: 'tools.example:443' }, { allowedHosts: ['tools.example:443'] }, 200],
    ['an allowed host on any port', { host: 'tools.example:443' }, { allowedHosts: ['tools.example'] }, 200],
    ['an allowed host in another case', { host: 'Tools.example' }, { allowedHosts: ['TOOLS.example'] }, 200],
    [
      'a page of an allowed host',
      { host: 'localhost', origin: 'https://tools.example' },
      { allowedHosts: ['Tools.example'] },
      200,
    ],
    ['a loopback host in another case', { host: 'LocalHost:8080' }, {}, 200],
    ['the IPv6 loopback host', { host: '[::1]:8080', origin: 'http://[::1]:3000' }, {}, 200],
    ['a loopback host', { host: '127.0.0.1:8080', origin: 'http://localhost:3000' }, {}, 200],
    [
      'a loopback host next to an allowed one',
      { host: 'localhost' },
      { allowedHosts: ['tools.example'] },
      200,
    ],
  ])('responds to %s (headers %j, options %j) with status %d', async (_who, headers, options, status) => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent, options);
    expect((await service.fetch(post(headers))).status).toBe(status);
  });

  it('judges a request without a Host header by its URL', async () => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent);
    const refusal = await service.fetch(new Request('http://evil.example/mcp'));
    expect(refusal.status).toBe(403);
    expect(await refusal.text()).toContain('add it to allowedHosts');
  });

  it.each<[string, () => unknown, number, string | null]>([
    ['true', async () => true, 200, null],
    ['a client', async () => ({ client: 'ada' }), 200, null],
    ['a truthy value', async () => 'yes', 401, 'Bearer'],
    ['a client without an id', async () => ({ client: '' }), 401, 'Bearer'],
    ['a client and more', async () => ({ client: 'ada', isBlocked: true }), 401, 'Bearer'],
    ['false', async () => false, 401, 'Bearer'],
    ['nothing', async () => undefined, 401, 'Bearer'],
    ['an exception', () => Promise.reject(new Error('no database')), 401, 'Bearer'],
    ['a response', () => new Response(null, { status: 403 }), 403, null],
  ])('admits a request only if authorize tells to: %s', async (_what, authorize, status, challenge) => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent, { authorize: authorize as () => Promise<boolean> });
    const answer = await service.fetch(post());
    expect(answer.status).toBe(status);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
  });

  it('refuses a session id with other credentials, or an unknown one', async () => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent, { authorize: () => true });
    const opened = await service.fetch(post({ authorization: 'Bearer ada' }));
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    expect((await service.fetch(post({ ...session, authorization: 'Bearer eve' }, ping))).status).toBe(404);
    expect((await service.fetch(post({ ...session, authorization: 'Bearer ada' }, ping))).status).toBe(200);
    expect((await service.fetch(post({ 'mcp-session-id': 'made-up' }, ping))).status).toBe(404);
  });

  it('continues a session of a client that authorize names, with whatever token', async () => {
    await using setup = await startAgent([]);
    const authorize = ({ headers }: Request) => ({ client: headers.get('x-user') ?? '' });
    await using service = serveMcp(setup.agent, { authorize });
    const opened = await service.fetch(post({ 'x-user': 'ada', authorization: 'Bearer old' }));
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const statusFor = async (headers: Record<string, string>) =>
      (await service.fetch(post({ ...session, ...headers }, ping))).status;
    expect(await statusFor({ 'x-user': 'ada', authorization: 'Bearer new' })).toBe(200);
    expect(await statusFor({ 'x-user': 'eve', authorization: 'Bearer old' })).toBe(404);
  });

  it('lets a client open a new stream in its session after a disconnect', async () => {
    await using setup = await startAgent([]);
    const { url } = await serve(setup.agent);
    const { headers } = post();
    const opened = await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize) });
    const session = {
      accept: 'text/event-stream',
      'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    };
    const listen = async (signal: AbortSignal) => (await fetch(url, { headers: session, signal })).status;
    const leave = new AbortController();
    expect(await listen(leave.signal)).toBe(200);
    leave.abort();
    await expect.poll(async () => listen(new AbortController().signal)).toBe(200);
  });

  it('limits the number of sessions, and ends idle ones', async () => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent, { maxSessions: 1, sessionIdleMs: 50 });
    const first = await service.fetch(post());
    expect(first.status).toBe(200);
    const second = await service.fetch(post());
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '10']);
    await expect.poll(async () => (await service.fetch(post())).status).toBe(200);
  });

  it('opens no session if it is closed while it reads the request', async () => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent);
    const [reading, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const pull = async (controller: ReadableStreamDefaultController) => {
      reading.resolve();
      await closed.promise;
      controller.enqueue(new TextEncoder().encode(JSON.stringify(initialize)));
      controller.close();
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const { url, headers } = post();
    const opening = service.fetch(new Request(url, { method: 'POST', headers, body, duplex: 'half' }));
    await reading.promise;
    await service.close();
    closed.resolve();
    const opened = await opening;
    expect([opened.status, opened.headers.get('mcp-session-id')]).toEqual([503, null]);
  });

  it('does not serve standard input after it is closed', async () => {
    await using setup = await startAgent([]);
    const service = serveMcp(setup.agent);
    await service.close();
    const listeners = process.stdin.listenerCount('data');
    await service.serveStdio();
    expect(process.stdin.listenerCount('data')).toBe(listeners);
  });

  it('does not serve standard input if it is closed while it begins to', async () => {
    await using setup = await startAgent([]);
    const service = serveMcp(setup.agent);
    const listeners = process.stdin.listenerCount('data');
    const serving = service.serveStdio();
    await service.close();
    await serving;
    expect(process.stdin.listenerCount('data')).toBe(listeners);
  });

  it('removes its listeners from standard input when it is closed', async () => {
    await using setup = await startAgent([]);
    const service = serveMcp(setup.agent);
    const count = () => ['data', 'end', 'error'].map((name) => process.stdin.listenerCount(name));
    const before = count();
    const serving = service.serveStdio();
    await expect.poll(count).not.toEqual(before);
    await service.close();
    await serving;
    expect(count()).toEqual(before);
  });

  it('refuses requests after it is closed', async () => {
    await using setup = await startAgent([]);
    const service = serveMcp(setup.agent);
    await service.close();
    await service.close();
    expect((await service.fetch(post())).status).toBe(503);
  });
});
