import { Client, StreamableHTTPClientTransport, type ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { Agent } from '../../../src/agents/agent.js';
import { dependsOnInterrupt } from '../../../src/decorators/depends-on.js';
import type { ServeMcpOptions } from '../../../src/mcp/serve/serve-mcp.js';
import { startAgent } from '../../agent-setup.js';
import { serve } from './serve-doubles.js';

type Answer = (form: unknown) => ElicitResult | Promise<ElicitResult>;

/** Connects a client that speaks only the version of the protocol without sessions; it supports questions with `answer`. */
async function connect(agent: Agent, options: ServeMcpOptions, answer?: Answer, request = fetch) {
  const { url, service } = await serve(agent, options);
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: answer ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  const lines: unknown[] = [];
  if (answer) client.setRequestHandler('elicitation/create', async ({ params }) => answer(params));
  client.setNotificationHandler('notifications/message', ({ params }) => void lines.push(params));
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: request }));
  onTestFinished(async () => client.close());
  return { client, lines, service };
}

const accept = (content: Record<string, string>): ElicitResult => ({ action: 'accept', content });

describe('a client without sessions', () => {
  it('finds and calls tools, and is told what is unknown or invalid', async () => {
    await using setup = await startAgent([]);
    setup.agent.toolify(
      { name: 'greet', description: 'Greet', input: z.object({ name: z.string() }) },
      ({ name }) => ({ greeting: `Hello ${name}` }),
    );
    const { client } = await connect(setup.agent, { offer: 'tools', instructions: 'Be kind' });
    expect(client.getInstructions()).toBe('Be kind');
    expect((await client.listTools()).tools).toMatchObject([{ name: 'greet', description: 'Greet' }]);
    expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
      isError: false,
      structuredContent: { greeting: 'Hello Ada' },
    });
    await expect(client.callTool({ name: 'other' })).rejects.toMatchObject({ code: -32602 });
    expect(await client.callTool({ name: 'greet', arguments: { name: 1 } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('TOOL_INVALID_ARGUMENTS') }],
    });
  });

  it('sees the progress of a call, and log lines only from the level that the call asks for', async () => {
    await using setup = await startAgent([]);
    setup.agent.toolify(
      { name: 'work', description: 'Work' },
      async (_args, { reportLog, reportProgress }) => {
        await reportProgress({ progress: 1, total: 2 });
        for (const level of ['debug', 'warning', 'error'] as const)
          await reportLog({ level, message: level });
      },
    );
    const { client, lines } = await connect(setup.agent, { offer: 'tools' });
    const progress: unknown[] = [];
    await client.callTool({ name: 'work' }, { onprogress: (step) => void progress.push(step) });
    expect(progress).toEqual([{ progress: 1, total: 2 }]);
    expect(lines).toEqual([]);
    const level = { 'io.modelcontextprotocol/logLevel': 'warning' };
    await client.callTool({ name: 'work', _meta: level });
    expect(lines).toMatchObject([{ data: 'warning' }, { data: 'error' }]);
  });

  it('is notified of tools that are added together once, if it asked for that', async () => {
    await using setup = await startAgent([]);
    const add = (name: string) => setup.agent.toolify({ name, description: 'Any' }, () => 1);
    add('first');
    const { client } = await connect(setup.agent, { offer: 'tools' });
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
    const subscription = await client.listen({ toolsListChanged: true });
    for (const name of ['a', 'b', 'c']) add(name);
    await expect.poll(() => changes).toBe(1);
    expect((await client.listTools()).tools).toHaveLength(4);
    add('d');
    await expect.poll(() => changes).toBe(2);
    await subscription.close();
  });

  it('has at most maxSessions subscriptions, until the service is closed', async () => {
    await using setup = await startAgent([]);
    const { client, service } = await connect(setup.agent, { offer: 'tools', maxSessions: 1 });
    const subscription = await client.listen({ toolsListChanged: true });
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow('limit');
    await service.close();
    expect(await subscription.closed).toBe('graceful');
  });

  it('gets the headers of a response before the call has a result', async () => {
    await using setup = await startAgent([]);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    setup.agent.toolify({ name: 'work', description: 'Work' }, async () => end);
    const statuses: number[] = [];
    const { client } = await connect(setup.agent, { offer: 'tools' }, undefined, async (input, init) => {
      const response = await fetch(input, init);
      statuses.push(response.status);
      return response;
    });
    statuses.length = 0;
    const called = client.callTool({ name: 'work' });
    await expect.poll(() => statuses).toEqual([200]);
    resolve();
    expect(await called).toMatchObject({ isError: false });
  });

  it('answers the questions of a tool, one after the other', async () => {
    await using setup = await startAgent([]);
    const inject = {
      size: dependsOnInterrupt({ prompt: 'Which size?', choices: ['S', 'L'] }),
      color: dependsOnInterrupt({ prompt: 'Which color?' }),
    };
    let calls = 0;
    setup.agent.toolify({ name: 'buy', description: 'Buy', inject }, async ({ size, color }, { ask }) => {
      calls += 1;
      const sure = await ask({ name: 'sure', prompt: 'Sure?', inputType: 'boolean' });
      return [size, color, sure].join(' ');
    });
    const forms: unknown[] = [];
    const { client } = await connect(setup.agent, { offer: 'tools' }, (form) => {
      forms.push(form);
      return { action: 'accept', content: { size: 'L', color: 'red', sure: true } };
    });
    expect(await client.callTool({ name: 'buy' })).toMatchObject({ content: [{ text: 'L red true' }] });
    expect(calls).toBe(1);
    expect(forms).toMatchObject([
      { message: 'Which size?', requestedSchema: { properties: { size: { enum: ['S', 'L'] } } } },
      { message: 'Which color?' },
      { message: 'Sure?', requestedSchema: { properties: { sure: { type: 'boolean' } } } },
    ]);
  });

  it('answers the questions of a run', async () => {
    await using setup = await startAgent(async (session) => {
      const result = await session.callTool('buy', {}, 'ev-1');
      session.finish({ responses: ['bought'], result });
    });
    setup.agent.toolify(
      { name: 'buy', description: 'Buy', inject: { size: dependsOnInterrupt({ prompt: 'Which size?' }) } },
      ({ size }) => size,
    );
    const { client } = await connect(setup.agent, {}, () => accept({ size: 'L' }));
    const steps: unknown[] = [];
    const onprogress = ({ message }: { message?: string }) => void steps.push(message);
    const result = await client.callTool({ name: 'billing', arguments: { message: 'go' } }, { onprogress });
    expect(result).toMatchObject({
      isError: false,
      content: [{ text: 'bought' }],
      structuredContent: { result: { status: 'ok', result: 'L' } },
    });
    expect(steps.at(-1)).toBe('buy: completed');
  });

  it.each([
    ['declines', () => ({ action: 'decline' as const }), 'was declined'],
    ['gives no valid answer', () => accept({ size: 'XXL' }), 'must be one of: S, L'],
    ['does not support questions', undefined, 'does not support questions'],
  ])('that %s lets the call fail', async (_what, answer, why) => {
    await using setup = await startAgent([]);
    const inject = { size: dependsOnInterrupt({ prompt: 'Which size?', choices: ['S', 'L'] }) };
    setup.agent.toolify({ name: 'buy', description: 'Buy', inject }, ({ size }) => size);
    const { client } = await connect(setup.agent, { offer: 'tools' }, answer);
    expect(await client.callTool({ name: 'buy' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(why) }],
    });
  });

  it('cancels a call by leaving', async () => {
    await using setup = await startAgent([]);
    const [began, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    setup.agent.toolify({ name: 'work', description: 'Work' }, async (_args, { signal }) => {
      began.resolve();
      signal.addEventListener('abort', () => aborted.resolve());
      await aborted.promise;
    });
    const { client } = await connect(setup.agent, { offer: 'tools' });
    const stop = new AbortController();
    const called = client.callTool({ name: 'work' }, { signal: stop.signal });
    await began.promise;
    stop.abort(new Error('no longer needed'));
    await expect(called).rejects.toThrow('no longer needed');
    await aborted.promise;
  });

  it('is told when the service is closed, also if the call waits for an answer', async () => {
    await using setup = await startAgent([]);
    const [began, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const aborts: string[] = [];
    const work =
      (name: string) =>
      async (_args: object, { signal, ask }: { signal: AbortSignal; ask: Asking }) => {
        signal.addEventListener('abort', () => void aborts.push(name));
        if (name === 'ask') await ask({ name: 'it', prompt: 'What?' });
        began.resolve();
        await aborted.promise;
      };
    for (const name of ['work', 'ask']) setup.agent.toolify({ name, description: 'Work' }, work(name));
    const asked = Promise.withResolvers<void>();
    const { client, service } = await connect(setup.agent, { offer: 'tools' }, async () => {
      asked.resolve();
      await aborted.promise;
      return accept({ it: 'x' });
    });
    const called = ['work', 'ask'].map(async (name) => client.callTool({ name }));
    const outcomes = Promise.allSettled(called);
    await Promise.all([began.promise, asked.promise]);
    await service.close();
    expect(aborts.toSorted()).toEqual(['ask', 'work']);
    aborted.resolve();
    expect(await outcomes).toMatchObject([
      { reason: { message: expect.stringContaining('Connection closed') } },
      { reason: { message: expect.stringContaining('closed') } },
    ]);
  });
});

type Asking = (question: { name: string; prompt: string }) => Promise<unknown>;
