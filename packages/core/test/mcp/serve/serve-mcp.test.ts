import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { Agent } from '../../../src/agents/agent.js';
import {
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
} from '../../../src/decorators/depends-on.js';
import type { ServableAgent } from '../../../src/mcp/serve/servable-agent.js';
import { serveMcp, type MCPService, type ServeMcpOptions } from '../../../src/mcp/serve/serve-mcp.js';
import { Swarm } from '../../../src/swarms/swarm.js';
import { SCRIPTED_API_KEY } from '../../../src/testing/scripted-orchestrator.js';
import { startAgent } from '../../agent-setup.js';
import { callTool, connectTo } from '../mcp-doubles.js';

expectTypeOf<Agent>().toExtend<ServableAgent>();
expectTypeOf<Swarm>().toExtend<ServableAgent>();

/** The address of a service behind Node's HTTP server. */
async function listen(service: MCPService): Promise<string> {
  const server = createServer((request, response) => void service.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await service.close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`;
}

async function serve(agent: ServableAgent, options: ServeMcpOptions = {}) {
  const url = await listen(serveMcp(agent, options));
  return { url, server: connectTo({ name: 'served', url, prefix: '' }) };
}

/** A client of the official library that answers questions, or cannot. */
async function connectClient(
  url: string,
  answer?: (form: unknown) => ElicitResult,
): Promise<{ client: Client; lines: unknown[] }> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: answer ? { elicitation: { form: {} } } : {} },
  );
  const lines: unknown[] = [];
  if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void lines.push(params));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(async () => client.close());
  return { client, lines };
}

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

describe('an agent as a server', () => {
  it('is one tool: a message in, its answer out', async () => {
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

  it('shows what its run does as progress', async () => {
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

  it('asks the person at the client what its run asks', async () => {
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
    ['cannot be asked', undefined, /cannot ask anybody/],
  ])('ends its run when the client %s', async (_what, answer, message) => {
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

  it('tells of a failed run, and of a call that does not fit, as results', async () => {
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
  });

  it('stops its run when the client cancels', async () => {
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

describe('an agent’s tools as a server', () => {
  it('run with their private values, checks and hooks, and nothing private comes out', async () => {
    await using setup = await startAgent([], { privateData: { card_token: 'tok_9f31-secret' } });
    const hooks: string[] = [];
    setup.agent.toolify(
      {
        name: 'charge',
        description: 'Charge the card',
        input: z.object({ amount: z.number().positive() }),
        output: z.object({ charged: z.number(), card: z.string() }),
        permissions: ['write'],
        inject: { token: dependsOnPrivateData('card_token') },
        beforeExecute: ({ arguments: args }) => void hooks.push(`before ${JSON.stringify(args)}`),
        afterExecute: ({ result }) => void hooks.push(`after ${JSON.stringify(result)}`),
      },
      ({ amount, token }) => ({ charged: amount, card: token }),
    );
    const { server } = await serve(setup.agent, { offer: 'tools' });
    const tools = await server.listTools();
    expect(tools).toMatchObject([
      {
        name: 'charge',
        inputSchema: { properties: { amount: { type: 'number' } }, required: ['amount'] },
        metadata: { annotations: { readOnlyHint: false } },
      },
    ]);
    expect(Object.keys(tools[0]?.inputSchema['properties'] ?? {})).toEqual(['amount']);
    expect(await callTool(tools, 'charge', { amount: 5 })).toMatchObject({
      structured_content: { charged: 5, card: '{_{card_token}_}' },
    });
    expect(hooks).toEqual([
      'before {"amount":5,"token":"{_{card_token}_}"}',
      'after {"charged":5,"card":"{_{card_token}_}"}',
    ]);
    const { url } = await serve(setup.agent, { offer: 'tools' });
    const { client } = await connectClient(url);
    expect(await client.callTool({ name: 'charge', arguments: { amount: -5 } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('[TOOL_INVALID_ARGUMENTS]') }],
    });
  });

  it('report, log and ask through the client', async () => {
    await using setup = await startAgent([]);
    setup.agent.toolify({ name: 'work', description: 'Work' }, async (_args, context) => {
      await context.reportProgress({ progress: 1, total: 2 });
      await context.reportLog({ level: 'info', message: 'half way', source: 'work' });
      return context.ask({ name: 'go_on', prompt: 'Go on?', inputType: 'boolean' });
    });
    const { url } = await serve(setup.agent, { offer: 'tools' });
    const { client, lines } = await connectClient(url, () => ({
      action: 'accept',
      content: { go_on: true },
    }));
    const progress: unknown[] = [];
    const result = await client.callTool({ name: 'work' }, undefined, {
      onprogress: (step) => void progress.push(step),
    });
    expect(result).toMatchObject({ isError: false, content: [{ text: 'true' }] });
    expect(progress).toEqual([{ progress: 1, total: 2 }]);
    expect(lines).toEqual([{ level: 'info', data: 'half way', logger: 'work' }]);
  });

  it('tell the client nothing private on the way either', async () => {
    await using setup = await startAgent([], { privateData: { card_token: 'tok_9f31-secret' } });
    const size = { prompt: 'For tok_9f31-secret?', choices: ['S', 'tok_9f31-secret'] };
    setup.agent.toolify(
      { name: 'work', description: 'Work', inject: { size: dependsOnInterrupt(size) } },
      async (_args, { reportProgress, reportLog, ask }) => {
        await reportProgress({ progress: 1, message: 'charging tok_9f31-secret' });
        await reportLog({ level: 'info', message: 'has tok_9f31-secret', source: 'tok_9f31-secret' });
        return ask({ name: 'more', ...size });
      },
    );
    const { url } = await serve(setup.agent, { offer: 'tools' });
    const seen: unknown[] = [];
    const { client, lines } = await connectClient(url, (form) => {
      seen.push(form);
      return { action: 'accept', content: { size: 'S', more: 'S' } };
    });
    await client.callTool({ name: 'work' }, undefined, { onprogress: (step) => void seen.push(step) });
    expect(lines).toEqual([{ level: 'info', data: 'has {_{card_token}_}', logger: '{_{card_token}_}' }]);
    expect(seen).toMatchObject([
      {
        message: 'For {_{card_token}_}?',
        requestedSchema: { properties: { size: { enum: ['S', '{_{card_token}_}'] } } },
      },
      { progress: 1, message: 'charging {_{card_token}_}' },
      {
        message: 'For {_{card_token}_}?',
        requestedSchema: { properties: { more: { enum: ['S', '{_{card_token}_}'] } } },
      },
    ]);
  });

  it('tell neither the API key they come across nor a private value that they set', async () => {
    await using setup = await startAgent([]);
    const { agent } = setup;
    agent.toolify({ name: 'renew', description: 'Renew' }, () => {
      agent.privateData['card_token'] = 'tok_9f31-secret';
      return { key: SCRIPTED_API_KEY, token: 'tok_9f31-secret' };
    });
    for (const served of [agent, new Swarm({ name: 's', agents: [agent], tools: agent.listTools() })]) {
      const { server } = await serve(served, { offer: 'tools' });
      const { structured_content: result } = z
        .looseObject({ structured_content: z.unknown() })
        .parse(await callTool(await server.listTools(), 'renew'));
      expect(result).toEqual({ key: '{_{SVC_API_KEY}_}', token: '{_{card_token}_}' });
    }
  });

  it('get an answer from the handler of their argument, as in a run', async () => {
    await using setup = await startAgent([], { privateData: { card_token: 'tok_9f31-secret' } });
    const prompts: string[] = [];
    const make = (name: string, answer: unknown) =>
      setup.agent.toolify(
        {
          name,
          description: 'Ask here',
          inject: {
            sure: dependsOnInterrupt({
              prompt: 'Charge tok_9f31-secret?',
              inputType: 'boolean',
              handler: ({ prompt }) => {
                prompts.push(prompt);
                return answer;
              },
            }),
          },
        },
        ({ sure }) => ({ sure }),
      );
    make('fits', 'yes');
    make('does_not_fit', 'perhaps');
    const { server } = await serve(setup.agent, { offer: 'tools' });
    const tools = await server.listTools();
    expect(await callTool(tools, 'fits', {})).toMatchObject({ structured_content: { sure: true } });
    expect(await callTool(tools, 'does_not_fit', {})).toMatchObject({
      is_error: true,
      content: [{ text: expect.stringContaining('[INTERRUPT_ANSWER_INVALID]') }],
    });
    expect(prompts).toEqual(['Charge {_{card_token}_}?', 'Charge {_{card_token}_}?']);
  });

  it.each([
    ['is missing', {}, 'DEPENDENCY_PRIVATE_DATA_MISSING'],
    ['is of another kind', { card_token: 7 }, 'DEPENDENCY_PRIVATE_DATA_INVALID'],
  ])('ask nobody when a private value %s', async (_what, privateData, code) => {
    await using setup = await startAgent([], { privateData });
    const inject = {
      sure: dependsOnInterrupt({ prompt: 'Sure?' }),
      token: dependsOnPrivateData('card_token'),
    };
    setup.agent.toolify({ name: 'charge', description: 'Charge', inject }, () => null);
    const { url } = await serve(setup.agent, { offer: 'tools' });
    const forms: unknown[] = [];
    const { client } = await connectClient(url, (form) => {
      forms.push(form);
      return { action: 'accept', content: { sure: 'yes' } };
    });
    expect(await client.callTool({ name: 'charge' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(new RegExp(`'card_token'.*${code}`)) }],
    });
    expect(forms).toEqual([]);
  });

  it('leave out those that need a run, and an allow-list must fit', async () => {
    await using setup = await startAgent([]);
    const first = setup.agent.toolify({ name: 'first', description: 'First' }, () => 1);
    setup.agent.toolify(
      { name: 'second', description: 'Second', inject: { value: dependsOnTool(first) } },
      ({ value }) => value,
    );
    setup.agent.toolify({ name: 'third', description: 'Third' }, () => 3);
    const { server } = await serve(setup.agent, { offer: 'tools' });
    expect((await server.listTools()).map(({ name }) => name)).toEqual(['first', 'third']);
    const listed = await serve(setup.agent, { offer: 'tools', tools: ['third'] });
    expect((await listed.server.listTools()).map(({ name }) => name)).toEqual(['third']);
    expect(() => serveMcp(setup.agent, { offer: 'tools', tools: ['third', 'second', 'fourth'] })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID_OPTION',
        message: expect.stringContaining('second, fourth'),
      }),
    );
    expect(() => serveMcp(setup.agent, { offers: 'tools' } as never)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }),
    );
  });
});

it.each([undefined, {}, Promise.resolve({})])('serves no %j', (agent) => {
  expect(() => serveMcp(agent as never)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID_OPTION',
      message: 'serveMcp takes an agent or a swarm.',
    }),
  );
});

describe('who may use a server', () => {
  it.each([
    ['a foreign host', { host: 'evil.example' }, {}, 403],
    ['a page of another origin', { host: 'localhost:8080', origin: 'https://evil.example' }, {}, 403],
    ['a host that is allowed', { host: 'tools.example:443' }, { allowedHosts: ['tools.example'] }, 200],
    ['a loopback host', { host: '127.0.0.1:8080', origin: 'http://localhost:3000' }, {}, 200],
  ])('%s gets %j with %j: %d', async (_who, headers, options, status) => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent, options);
    expect((await service.fetch(post(headers))).status).toBe(status);
  });

  it.each([
    ['true', async () => true, 200],
    ['something like true', async () => 'yes', 401],
    ['false', async () => false, 401],
    ['an exception', () => Promise.reject(new Error('no database')), 401],
  ])('a request is admitted by %s: %d', async (_what, authorize, status) => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent, { authorize: authorize as () => Promise<boolean> });
    expect((await service.fetch(post())).status).toBe(status);
  });

  it('nobody goes on with another’s session', async () => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent, { authorize: () => true });
    const opened = await service.fetch(post({ authorization: 'Bearer ada' }));
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    expect((await service.fetch(post({ ...session, authorization: 'Bearer eve' }, ping))).status).toBe(404);
    expect((await service.fetch(post({ ...session, authorization: 'Bearer ada' }, ping))).status).toBe(200);
    expect((await service.fetch(post({ 'mcp-session-id': 'made-up' }, ping))).status).toBe(404);
  });

  it('sessions are bounded in number and in time', async () => {
    await using setup = await startAgent([]);
    await using service = serveMcp(setup.agent, { maxSessions: 1, sessionIdleMs: 50 });
    const first = await service.fetch(post());
    expect(first.status).toBe(200);
    const second = await service.fetch(post());
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '10']);
    await expect.poll(async () => (await service.fetch(post())).status).toBe(200);
  });

  it('a service that was closed serves nobody', async () => {
    await using setup = await startAgent([]);
    const service = serveMcp(setup.agent);
    await service.close();
    await service.close();
    expect((await service.fetch(post())).status).toBe(503);
  });
});
