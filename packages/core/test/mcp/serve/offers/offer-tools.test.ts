import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import {
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
} from '../../../../src/decorators/depends-on.js';
import { serveMcp } from '../../../../src/mcp/serve/serve-mcp.js';
import { Swarm } from '../../../../src/swarms/swarm.js';
import { SCRIPTED_API_KEY } from '../../../../src/testing/scripted-orchestrator.js';
import type { ToolQuestion } from '../../../../src/tools/reports/tool-reports.js';
import { startAgent } from '../../../agent-setup.js';
import { callTool } from '../../mcp-doubles.js';
import { connectClient, serve } from '../serve-doubles.js';

describe('an agent’s tools, offered over MCP', () => {
  it('run with private values, validation and hooks, and return no private values', async () => {
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

  it('are listed and callable even if they are added after the client has connected', async () => {
    await using setup = await startAgent([]);
    setup.agent.toolify({ name: 'first', description: 'First' }, () => 1);
    const { url } = await serve(setup.agent, { offer: 'tools' });
    const { client } = await connectClient(url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['first']);
    setup.agent.toolify({ name: 'second', description: 'Second' }, () => 2);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(await client.callTool({ name: 'second' })).toMatchObject({ content: [{ text: '2' }] });
  });

  it('report progress, log and ask questions through the client', async () => {
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

  it('send no private values in progress, log lines and questions', async () => {
    await using setup = await startAgent([], { privateData: { card_token: 'tok_9f31-secret' } });
    const given: unknown[] = [];
    const size = { prompt: 'For tok_9f31-secret?', choices: ['S', 'tok_9f31-secret'] };
    setup.agent.toolify(
      { name: 'work', description: 'Work', inject: { size: dependsOnInterrupt(size) } },
      async (_args, { reportProgress, reportLog, ask }) => {
        await reportProgress({ progress: 1, message: 'charging tok_9f31-secret' });
        await reportLog({ level: 'info', message: 'has tok_9f31-secret', source: 'tok_9f31-secret' });
        given.push(await ask({ name: 'more', ...size }));
      },
    );
    const { url } = await serve(setup.agent, { offer: 'tools' });
    const seen: unknown[] = [];
    const { client, lines } = await connectClient(url, (form) => {
      seen.push(form);
      return { action: 'accept', content: { size: 'S', more: '{_{card_token}_}' } };
    });
    await client.callTool({ name: 'work' }, undefined, { onprogress: (step) => void seen.push(step) });
    expect(given).toEqual(['tok_9f31-secret']);
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

  it('return neither the API key nor a private value that they set themselves', async () => {
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

  it('return neither an entered password nor the output of a private value’s schema', async () => {
    await using setup = await startAgent([], { privateData: { token: 'tok_9f31' } });
    const schema = z.string().transform((token) => Buffer.from(token).toString('hex'));
    const inject = {
      token: dependsOnPrivateData({ key: 'token', schema }),
      pin: dependsOnInterrupt({ prompt: 'PIN?', inputType: 'password', handler: () => 'pin-4711' }),
    };
    setup.agent.toolify({ name: 'repeat', description: 'Repeat', inject }, (args) => args);
    const { server } = await serve(setup.agent, { offer: 'tools' });
    expect(await callTool(await server.listTools(), 'repeat')).toMatchObject({
      structured_content: { token: '{_{token}_}', pin: '{_{pin}_}' },
    });
  });

  it.each<[string, Partial<ToolQuestion>, string]>([
    ['an unknown input type', { inputType: 'date' as never }, 'TOOL_INVALID_INTERRUPT'],
    ['choices with the input type text', { inputType: 'text', choices: ['a'] }, 'TOOL_INVALID_INTERRUPT'],
    ['a negative expiry', { expiresInMs: -1 }, 'CONFIG_INVALID_DURATION'],
  ])('fail when they ask for %s', async (_name, more, code) => {
    await using setup = await startAgent([]);
    setup.agent.toolify({ name: 'work', description: 'Work' }, async (_args, { ask }) =>
      ask({ name: 'size', prompt: 'How large?', ...more }),
    );
    const { url } = await serve(setup.agent, { offer: 'tools' });
    const { client } = await connectClient(url, () => ({ action: 'accept', content: { size: 'a' } }));
    expect(await client.callTool({ name: 'work' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`[${code}]`) }],
    });
  });

  it('can ask with an expiry beyond the range of timers, and report null as absent', async () => {
    await using setup = await startAgent([]);
    const nothing = null as never;
    setup.agent.toolify({ name: 'work', description: 'Work' }, async (_args, { reportProgress, ask }) => {
      await reportProgress({ progress: 1, total: nothing, message: nothing });
      return ask({ name: 'size', prompt: 'How large?', expiresInMs: 30 * 24 * 3_600_000, choices: nothing });
    });
    const { url } = await serve(setup.agent, { offer: 'tools' });
    const { client } = await connectClient(url, async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { action: 'accept', content: { size: 'large' } };
    });
    const progress: unknown[] = [];
    const result = await client.callTool({ name: 'work' }, undefined, {
      onprogress: (step) => void progress.push(step),
    });
    expect(result).toMatchObject({ isError: false, content: [{ text: 'large' }] });
    expect(progress).toEqual([{ progress: 1 }]);
  });

  it.each([
    [{ timeoutMs: 20 }, {}],
    [{}, { toolTimeoutMs: 20 }],
  ])('fail when the schema of a private value never resolves: %j, %j', async (own, options) => {
    await using setup = await startAgent([], { privateData: { key: 'a' } });
    const schema = z.string().refine(async () => new Promise<boolean>(() => {}));
    const inject = { key: dependsOnPrivateData({ key: 'key', schema }) };
    setup.agent.toolify({ name: 'work', description: 'Work', ...own, inject }, () => 1);
    const { server } = await serve(setup.agent, { offer: 'tools', ...options });
    expect(await callTool(await server.listTools(), 'work')).toMatchObject({
      is_error: true,
      content: [{ text: expect.stringContaining('[DEPENDENCY_TIMEOUT]') }],
    });
  });

  it('get validated answers from the handler of an argument, as in a run', async () => {
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

  it('pass the handler choices without private values, and get the choice as it was offered, as in a run', async () => {
    await using setup = await startAgent([], { privateData: { card_token: 'tok_9f31-secret' } });
    const choices = ['Cash', 'Card tok_9f31-secret'];
    const shown: (readonly string[])[] = [];
    const used: unknown[] = [];
    const handler = (asked: { choices: readonly string[] }) => {
      shown.push(asked.choices);
      return asked.choices[1];
    };
    const inject = { way: dependsOnInterrupt({ prompt: 'How?', choices, handler }) };
    setup.agent.toolify({ name: 'pay', description: 'Pay', inject }, ({ way }) => void used.push(way));
    const { server } = await serve(setup.agent, { offer: 'tools' });
    await callTool(await server.listTools(), 'pay', {});
    expect(shown).toEqual([['Cash', 'Card {_{card_token}_}']]);
    expect(used).toEqual(['Card tok_9f31-secret']);
  });

  it('pass the handler a prompt with the client’s arguments, and the time of expiry', async () => {
    await using setup = await startAgent([]);
    const handler = vi.fn(() => 'yes');
    const prompt = (args: object) => `Buy ${JSON.stringify(args)}?`;
    const inject = { sure: dependsOnInterrupt({ prompt, expiresInMs: 60_000, handler }) };
    const input = z.object({ what: z.string() });
    setup.agent.toolify({ name: 'buy', description: 'Buy', input, inject }, ({ sure }) => sure);
    const { server } = await serve(setup.agent, { offer: 'tools' });
    const before = Date.now();
    await callTool(await server.listTools(), 'buy', { what: 'milk', sure: 'planted' });
    const asked = z.object({ prompt: z.string(), expiresAt: z.number() }).parse(handler.mock.lastCall?.at(0));
    expect(asked.prompt).toBe('Buy {"what":"milk"}?');
    expect(asked.expiresAt).toBeGreaterThanOrEqual(before + 60_000);
  });

  it.each([
    ['is missing', {}, 'DEPENDENCY_PRIVATE_DATA_MISSING'],
    ['has the wrong type', { card_token: 7 }, 'DEPENDENCY_PRIVATE_DATA_INVALID'],
  ])('do not ask the client when a private value %s', async (_what, privateData, code) => {
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
      content: [{ text: expect.stringMatching(new RegExp(`(?=.*'charge').*'card_token'.*${code}`)) }],
    });
    expect(forms).toEqual([]);
  });

  it('do not include tools that depend on others; an allow-list with such or unknown tools is refused', async () => {
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
        details: { tools: ['second', 'fourth'] },
        message: expect.stringContaining('second, fourth'),
      }),
    );
    expect(() => serveMcp(setup.agent, { offers: 'tools' } as never)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }),
    );
  });
});
