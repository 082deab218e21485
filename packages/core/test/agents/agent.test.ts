import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { RunFailedError } from '../../src/session/errors.js';
import { collect, startAgent as start } from '../agent-setup.js';
import { Agent } from '../../src/agents/agent.js';
import {
  dependsOnAgent,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
} from '../../src/decorators/depends-on.js';
import { Swarm } from '../../src/swarms/swarm.js';

describe('an agent', () => {
  it('lists its private values even if privateValues() is called unbound', () => {
    const { privateValues } = new Agent({ name: 'desk', apiKey: 'key', privateData: { pin: '4711' } });
    expect(privateValues()).toEqual([{ name: 'pin', value: '4711' }]);
  });

  it('runs tools in this process, injects results and private values, and returns the answer', async () => {
    await using setup = await start(
      async (session) => {
        await session.callTool('fetch_order', { order_id: 'A-17' });
        const charged = await session.callTool('charge_card', { note: 'priority' });
        session.say('Charged.');
        session.finish({ responses: ['Charged.'], result: charged, token_usage: { total_tokens: 12 } });
      },
      { privateData: { card_token: 'tok_9f31-secret' } },
    );
    const { agent, orchestrator } = setup;
    const seen: unknown[] = [];
    const fetchOrder = agent.toolify(
      { name: 'fetch_order', description: 'Fetch an order', input: z.object({ order_id: z.string() }) },
      ({ order_id }) => ({ id: order_id, total: 12.5 }),
    );
    agent.toolify(
      {
        name: 'charge_card',
        description: 'Charge the stored card',
        input: z.object({ note: z.string().optional() }),
        permissions: ['write'],
        inject: {
          order: dependsOnTool(fetchOrder),
          token: dependsOnPrivateData('card_token'),
        },
      },
      (args) => {
        seen.push(args);
        return { charged: 12.5, card: 'tok_9f31-secret' };
      },
    );
    const response = await agent.invoke('Charge order A-17');
    expect(seen).toEqual([
      { note: 'priority', order: { id: 'A-17', total: 12.5 }, token: 'tok_9f31-secret' },
    ]);
    expect(response).toMatchObject({
      response: 'Charged.',
      status: 'completed',
      sessionId: 'session-1',
      result: { status: 'ok', result: { charged: 12.5, card: '{_{card_token}_}' } },
      tokenUsage: { total_tokens: 12 },
    });
    expect(JSON.stringify(orchestrator.requests.map(({ body }) => body))).not.toContain('tok_9f31-secret');
  });

  it('emits two complete events with the same id for each invocation', async () => {
    await using setup = await start(async (session) => {
      await session.callTool('add', { a: 1, b: 2 }, 'ev-1');
      session.finish({ responses: ['3'] });
    });
    const { agent } = setup;
    agent.toolify(
      { name: 'add', description: 'Add', input: z.object({ a: z.number(), b: z.number() }) },
      ({ a, b }) => a + b,
    );
    const events = await collect(agent.stream('1 + 2?'));
    expect(events.map(({ name, payload }) => [name, payload['status'], payload['tool_id']])).toEqual([
      ['tool_event', 'executing', 'ev-1'],
      ['tool_event', 'completed', 'ev-1'],
      ['final', 'completed', undefined],
    ]);
    expect(events[1]?.payload).toMatchObject({
      contract_version: 'v1',
      event_name: 'tool_event',
      event_kind: 'tool',
      tool_name: 'add',
      args: { a: 1, b: 2 },
      result: 3,
      agent_name: 'billing',
      tool: { tool_id: 'ev-1', status: 'completed', result: 3, elapsed_ms: expect.any(Number) },
    });
  });

  it('waits for an interrupt answer given through agent.runs', async () => {
    await using setup = await start(async (session) => {
      const answer = await session.callTool('delete_file', { path: '/a' });
      session.finish({ responses: [JSON.stringify(answer)] });
    });
    const { agent } = setup;
    agent.toolify(
      {
        name: 'delete_file',
        description: 'Delete',
        input: z.object({ path: z.string() }),
        inject: {
          approved: dependsOnInterrupt({ prompt: 'Delete it?', inputType: 'boolean' }),
        },
      },
      ({ approved }) => ({ approved }),
    );
    const run = agent.stream('Delete /a');
    for await (const event of run) {
      if (event.name !== 'interrupt_required') continue;
      expect(event.payload).toMatchObject({
        prompt: 'Delete it?',
        input_type: 'boolean',
        tool_name: 'delete_file',
      });
      await agent.runs.get(run.id)?.answer(String(event.payload['interrupt_id']), 'yes');
    }
    expect((await run.response).response).toBe('{"status":"ok","result":{"approved":true}}');
    expect(agent.runs.get(run.id)).toBeUndefined();
  });

  it('finds a run by its id from its creation to its end', async () => {
    await using setup = await start((session) => session.finish({ responses: ['done'] }));
    const { agent } = setup;
    const { id } = agent.stream('x');
    const found = agent.runs.get(id);
    expect(found?.id).toBe(id);
    expect(agent.runs.size).toBe(0);
    expect((await found?.response)?.response).toBe('done');
    expect(agent.runs.get(id)).toBeUndefined();

    const unread = agent.stream('x');
    await agent.close();
    expect(agent.runs.get(unread.id)).toBeUndefined();
  });

  it('ends the stream with final and rejects with the response when the run failed', async () => {
    await using setup = await start((session) => session.fail('it broke', 'PLANNER_ERROR'));
    const run = setup.agent.stream('x');
    const events = await collect(run);
    expect(events.at(-1)).toMatchObject({ name: 'final', payload: { status: 'failed' } });
    const error = await run.response.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RunFailedError);
    expect(error).toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringContaining('it broke'),
      response: { status: 'failed', sessionId: 'session-1', error: { code: 'PLANNER_ERROR' } },
    });
  });

  it('cancels the run at the orchestrator and emits the resulting final', async () => {
    await using setup = await start(async (session) => {
      await session.callTool('wait');
    });
    const { agent, orchestrator } = setup;
    let aborted = false;
    const started = Promise.withResolvers<void>();
    agent.toolify({ name: 'wait', description: 'Wait' }, async (_args, { signal }) => {
      const { promise, reject } = Promise.withResolvers<never>();
      started.resolve();
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(signal.reason);
      });
      return promise;
    });
    const run = agent.stream('x');
    const names: string[] = [];
    for await (const { name, payload } of run) {
      names.push(`${name}:${String(payload['status'])}`);
      if (payload['status'] === 'executing') void started.promise.then(() => run.cancel('enough'));
    }
    expect(names).toEqual(['tool_event:executing', 'tool_event:cancelled', 'final:cancelled']);
    expect(aborted).toBe(true);
    expect(orchestrator.requests.at(-1)).toMatchObject({
      method: 'DELETE',
      path: '/sessions/session-1',
      body: { reason: 'enough' },
    });
    await expect(run.response).rejects.toMatchObject({
      code: 'RUN_CANCELLED',
      message: expect.stringContaining('enough'),
    });
  });

  it('cancels the run when the caller breaks out of the stream', async () => {
    await using setup = await start(async (session) => {
      session.say('one');
      await new Promise((resolve) => session.signal.addEventListener('abort', resolve));
    });
    const { agent, orchestrator } = setup;
    const run = agent.stream('x');
    for await (const _event of run) break;
    await agent.close();
    expect(orchestrator.requests.at(-1)).toMatchObject({ method: 'DELETE' });
    await expect(run.response).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  });
});

describe('a closed agent', () => {
  it('refuses every way of starting a run, runs no hook and sends no request', async () => {
    const beforeExecute = vi.fn<() => void>();
    await using setup = await start((session) => session.finish(), {
      hookExecutionMode: 'scope',
      beforeExecute,
    });
    const { agent, orchestrator } = setup;
    const made = agent.stream('x');
    await agent.close();
    const refusal = {
      code: 'RUN_SCOPE_CLOSED',
      message: expect.stringContaining("agent 'billing' is closed"),
    };
    await expect(agent.invoke('x')).rejects.toMatchObject(refusal);
    expect(() => agent.stream('x')).toThrow(expect.objectContaining(refusal));
    await expect(agent.batch(['x'])).rejects.toMatchObject(refusal);
    await expect(agent.structuredOutput(z.object({}).meta({ id: 'o' })).invoke('x')).rejects.toMatchObject(
      refusal,
    );
    await expect(made.response).rejects.toMatchObject(refusal);
    expect(beforeExecute).not.toHaveBeenCalled();
    expect(orchestrator.requests).toEqual([]);
  });

  it('is refused as a swarm member and as a dependency of a tool', async () => {
    await using setup = await start(async (session) => {
      await session.callTool('report', {});
      session.finish();
    });
    const { agent, orchestrator } = setup;
    const client = orchestrator.client();
    const helper = new Agent({ name: 'helper', description: 'Helps', client });
    agent.toolify(
      {
        name: 'report',
        description: 'Report',
        input: z.object({}),
        inject: { notes: dependsOnAgent(helper) },
      },
      () => 'done',
    );
    const swarm = new Swarm({ name: 'desk', agents: [agent, helper] });
    await helper.close();
    const refusal = { message: expect.stringContaining("agent 'helper' is closed") };
    await expect(swarm.invoke('x')).rejects.toMatchObject({ code: 'RUN_SCOPE_CLOSED', ...refusal });
    expect(orchestrator.requests).toEqual([]);
    await agent.invoke('x');
    const { body } = orchestrator.requests.find(({ path }) => path.endsWith('/resume')) ?? {};
    expect(body).toMatchObject({
      value: { status: 'error', error: { details: { producer_code: 'RUN_SCOPE_CLOSED' } } },
    });
  });
});
