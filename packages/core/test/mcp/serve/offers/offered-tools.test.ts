import { expect, it, vi } from 'vitest';
import * as z from 'zod';
import { dependsOnInterrupt } from '../../../../src/decorators/depends-on.js';
import { dependsOnAwaitFor } from '../../../../src/decorators/order.js';
import { getLogger } from '../../../../src/logging/logger.js';
import type { HookExecutionMode } from '../../../../src/hooks/hook.js';
import { offerTools } from '../../../../src/mcp/serve/offers/offer-tools.js';
import { serveMcp } from '../../../../src/mcp/serve/serve-mcp.js';
import { systemRuntime } from '../../../../src/runtime.js';
import type { ToolContext } from '../../../../src/tools/declaration/tool.js';
import { startAgent } from '../../../agent-setup.js';
import { callTool, catchLog } from '../../mcp-doubles.js';
import { connectClient, serve } from '../serve-doubles.js';

const parts = { tools: undefined, toolTimeoutMs: 1_000, logger: getLogger('test'), runtime: systemRuntime };

it('a tool is listed with hints from its permissions, and with its output schema if that is an object', async () => {
  await using setup = await startAgent([]);
  const { agent } = setup;
  const output = z.object({ n: z.number() });
  agent.toolify({ name: 'look', description: 'd', permissions: ['read'], output }, () => ({ n: 1 }));
  agent.toolify(
    { name: 'edit', description: 'd', permissions: ['read', 'write'], output: z.string() },
    () => '',
  );
  agent.toolify({ name: 'drop', description: 'd', permissions: ['delete'], idempotent: true }, () => null);
  agent.toolify({ name: 'any', description: 'd' }, () => null);
  const tools = offerTools(agent, parts).listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
    ['look', { readOnlyHint: true, destructiveHint: false, idempotentHint: false }],
    ['edit', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
    ['drop', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ['any', { idempotentHint: false }],
  ]);
  expect(tools.map(({ outputSchema }) => outputSchema?.type)).toEqual([
    'object',
    undefined,
    undefined,
    undefined,
  ]);
});

it('private values are removed from the descriptions of tools and agents', async () => {
  await using setup = await startAgent([], { description: 'Serves Ada Lovelace', privateData: {} });
  const { agent } = setup;
  agent.toolify({ name: 'charge', description: 'Charge the card of Ada Lovelace' }, () => 1);
  // A value that becomes private later is removed as well.
  agent.privateData['customer'] = 'Ada Lovelace';
  for (const offer of ['tools', 'agent'] as const) {
    const { url } = await serve(agent, { offer });
    const { client } = await connectClient(url);
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([
      { description: offer === 'tools' ? 'Charge the card of {_{customer}_}' : 'Serves {_{customer}_}' },
    ]);
  }
});

it('a tool that waits for another is not listed, and is refused in an allow-list', async () => {
  await using setup = await startAgent([]);
  const first = setup.agent.toolify({ name: 'first', description: 'd' }, () => 1);
  setup.agent.toolify({ name: 'second', description: 'd', order: [dependsOnAwaitFor(first)] }, () => 2);
  const agent = {
    ...setup.agent,
    listTools: () => setup.agent.listTools(),
    privateValues: () => [],
  } as never;
  expect(offerTools(agent, parts).listTools()).toMatchObject([{ name: 'first' }]);
  expect(() => offerTools(agent, { ...parts, tools: ['second'] })).toThrow('serveMcp cannot offer second');
});

it.each<[HookExecutionMode, string[]]>([
  ['tool', ['agent', 'tool', 'work', 'tool', 'agent']],
  ['scope', ['tool', 'work', 'tool']],
])('a call runs within its hooks, and within those of the agent in mode tool: %s', async (mode, expected) => {
  const trace: string[] = [];
  const note = (mark: string) => ({
    beforeExecute: () => void trace.push(mark),
    afterExecute: () => void trace.push(mark),
  });
  await using setup = await startAgent([], { ...note('agent'), hookExecutionMode: mode });
  setup.agent.toolify({ name: 'work', description: 'd', ...note('tool') }, () => void trace.push('work'));
  const { server } = await serve(setup.agent, { offer: 'tools' });
  await callTool(await server.listTools(), 'work');
  expect(trace).toEqual(expected);
});

it('afterExecute receives the error of a failed call, and a hook that fails is logged', async () => {
  const log = catchLog();
  await using setup = await startAgent([]);
  const ended: unknown[] = [];
  setup.agent.toolify(
    {
      name: 'work',
      description: 'd',
      beforeExecute: () => {
        throw new Error('not now');
      },
      afterExecute: ({ error }) => void ended.push(error),
    },
    () => {
      throw new Error('it broke');
    },
  );
  const { server } = await serve(setup.agent, { offer: 'tools' });
  expect(await callTool(await server.listTools(), 'work')).toMatchObject({ is_error: true });
  expect(ended).toEqual([{ code: expect.any(String), message: expect.stringContaining('it broke') }]);
  expect(log.filter(({ message }) => message === 'A hook failed.')).toMatchObject([
    { fields: { hook: 'beforeExecute', stage: 'before', error: 'not now' } },
  ]);
  expect(log).toContainEqual({
    message: 'A tool call of an MCP client failed.',
    fields: { tool: 'work', code: 'TOOL_FAILED', stack: expect.arrayContaining([expect.any(String)]) },
  });
});

it.each([
  [{ offer: 'agent' }, {}],
  [{ offer: 'tools', name: 'desk', version: '7', instructions: 'Be kind.' }, { listChanged: true }],
] as const)(
  'a service with %j announces its identity, instructions and capabilities',
  async (options, tools) => {
    await using setup = await startAgent([]);
    const { client } = await connectClient((await serve(setup.agent, options)).url);
    const {
      name = 'billing',
      version = expect.any(String),
      instructions,
    } = { ...options } as Record<string, string>;
    expect(client.getServerVersion()).toEqual({ name, version });
    expect(client.getInstructions()).toBe(instructions);
    expect(client.getServerCapabilities()?.tools).toEqual(tools);
  },
);

it('closing a service removes its listener for added tools', async () => {
  await using setup = await startAgent([]);
  const stop = vi.fn();
  vi.spyOn(setup.agent, 'onToolsAdded').mockReturnValue(stop);
  await serveMcp(setup.agent, { offer: 'tools' }).close();
  expect(stop).toHaveBeenCalledOnce();
});

it('a client that does not ask for progress receives none', async () => {
  await using setup = await startAgent([]);
  setup.agent.toolify({ name: 'work', description: 'Work' }, async (_args, { reportProgress }) => {
    await reportProgress({ progress: 1 });
    return 'done';
  });
  const { url } = await serve(setup.agent, { offer: 'tools' });
  const { client } = await connectClient(url);
  const errors: unknown[] = [];
  // The library's client reports progress that names no call as an error.
  client.onerror = (error) => void errors.push(error);
  expect(await client.callTool({ name: 'work' })).toMatchObject({ content: [{ text: 'done' }] });
  expect(errors).toEqual([]);
});

it.each([
  ['text', { type: 'string' }, 'x'],
  ['boolean', { type: 'boolean' }, false],
  ['number', { type: 'number' }, 1.5],
] as const)('an argument is asked for with its input type: %s', async (inputType, field, answer) => {
  await using setup = await startAgent([]);
  const inject = { sure: dependsOnInterrupt({ prompt: 'Sure?', inputType }) };
  setup.agent.toolify({ name: 'buy', description: 'Buy', inject }, (args) => args);
  const forms: unknown[] = [];
  const { client } = await connectClient((await serve(setup.agent, { offer: 'tools' })).url, (form) => {
    forms.push(form);
    return { action: 'accept', content: { sure: answer } };
  });
  expect(await client.callTool({ name: 'buy' })).toMatchObject({ structuredContent: { sure: answer } });
  expect(forms).toMatchObject([{ message: 'Sure?', requestedSchema: { properties: { sure: field } } }]);
});

it('an interrupt handler receives the question, the tool and the argument', async () => {
  await using setup = await startAgent([]);
  const handler = vi.fn(() => 'L');
  const inject = { size: dependsOnInterrupt({ prompt: 'Which?', choices: ['S', 'L'], handler }) };
  setup.agent.toolify({ name: 'buy', description: 'Buy', inject }, ({ size }) => size);
  const { client } = await connectClient((await serve(setup.agent, { offer: 'tools' })).url);
  expect(await client.callTool({ name: 'buy' })).toMatchObject({ content: [{ text: 'L' }] });
  const asked = z.looseObject({ interruptId: z.string() }).parse(handler.mock.lastCall?.at(0));
  expect(asked).toMatchObject({
    runId: asked.interruptId,
    prompt: 'Which?',
    inputType: 'choice',
    choices: ['S', 'L'],
    toolName: 'buy',
    argName: 'size',
    dataKey: 'size',
  });
});

it('private values are removed from the lines that a tool logs itself', async () => {
  const log = catchLog();
  await using setup = await startAgent([], { privateData: { card_token: 'tok_9f31-secret' } });
  setup.agent.toolify({ name: 'work', description: 'Work' }, () => {
    getLogger('app').info('charging', { note: 'for tok_9f31-secret' });
    return 'done';
  });
  const { server } = await serve(setup.agent, { offer: 'tools' });
  await callTool(await server.listTools(), 'work');
  expect(log).toContainEqual({ message: 'charging', fields: { note: 'for {_{card_token}_}' } });
});

it('a result over the maxResultBytes of its tool fails the call', async () => {
  await using setup = await startAgent([]);
  setup.agent.toolify({ name: 'work', description: 'Work', maxResultBytes: 10 }, () => 'x'.repeat(100));
  const { client } = await connectClient((await serve(setup.agent, { offer: 'tools' })).url);
  expect(await client.callTool({ name: 'work' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('[TOOL_RESULT_TOO_LARGE]') }],
  });
});

it('a cancelled call rejects with the reason for its cancellation', async () => {
  await using setup = await startAgent([]);
  setup.agent.toolify({ name: 'work', description: 'Work' }, () => 1);
  const caller = {
    sessionId: 's',
    signal: AbortSignal.abort(new Error('the client left')),
    reportProgress: async () => {},
    reportLog: async () => {},
    ask: async () => 'x',
  };
  const called = offerTools(setup.agent, parts).call('work', {}, caller);
  await expect(called).rejects.toThrow('the client left');
});

it('a tool receives the ids of its call and session, and a signal that aborts when the client cancels', async () => {
  await using setup = await startAgent([]);
  const [started, stopped] = [Promise.withResolvers<ToolContext>(), Promise.withResolvers<void>()];
  setup.agent.toolify({ name: 'work', description: 'Work' }, async (_args, context) => {
    context.signal.addEventListener('abort', () => stopped.resolve());
    started.resolve(context);
    await stopped.promise;
  });
  const { client } = await connectClient((await serve(setup.agent, { offer: 'tools' })).url);
  const stop = new AbortController();
  const call = client.callTool({ name: 'work' }, undefined, { signal: stop.signal });
  const { toolName, sessionId, runId, toolEventId } = await started.promise;
  expect({ toolName, sessionId, runId }).toEqual({
    toolName: 'work',
    sessionId: client.transport?.sessionId,
    runId: toolEventId,
  });
  expect(sessionId).not.toBe('');
  stop.abort();
  await expect(call).rejects.toThrow();
  await stopped.promise;
});

it('an error of a session is logged', async () => {
  const log = catchLog();
  await using setup = await startAgent([]);
  const { client } = await connectClient((await serve(setup.agent, { offer: 'tools' })).url);
  await client.transport?.send({ jsonrpc: '2.0', id: 99, result: {} });
  await expect
    .poll(() => log, { timeout: 10_000 })
    .toContainEqual({
      message: 'A session of an MCP client had an error.',
      fields: { error: expect.stringContaining('unknown message ID') },
    });
});
