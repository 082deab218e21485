import { afterEach, describe, expect, it, vi } from 'vitest';
import { dependsOnInterrupt } from '../../src/decorators/depends-on.js';
import { configureLogging } from '../../src/logging/logger.js';
import { startAgent } from '../agent-setup.js';
import { serviceOf } from './interrupt-doubles.js';

afterEach(() => configureLogging());

describe('a question of the orchestrator', () => {
  it('is answered at its checkpoint, and the same stream goes on', async () => {
    await using setup = await startAgent(async (session) => {
      const answer = await session.ask({ dataKey: 'city', prompt: 'Where?', args_digest: 'd-1' });
      session.finish({ result: answer });
    });
    const run = setup.agent.stream('x');
    for await (const { name, payload } of run) {
      if (name !== 'interrupt_required') continue;
      expect(payload['interrupt_id']).toBe(payload['checkpoint_id']);
      await run.answer(String(payload['interrupt_id']), 'Oslo');
    }
    expect((await run.response).result).toBe('Oslo');
    const posted = setup.orchestrator.requests.find(({ path }) => path.startsWith('/api/v1/checkpoints/'));
    expect(posted?.body).toEqual({ interrupt_data: { city: 'Oslo' }, args_digest: 'd-1' });
  });

  it('goes to the handler that the tool declared for that argument', async () => {
    await using setup = await startAgent(async (session) => {
      const answer = await session.ask({
        dataKey: 'ok',
        prompt: '?',
        tool_name: 't',
        arg_name: 'ok',
        input_type: 'boolean',
      });
      session.finish({ result: answer });
    });
    const handler = vi.fn(() => 'yes');
    const inject = { ok: dependsOnInterrupt({ prompt: '?', inputType: 'boolean', handler }) };
    setup.agent.toolify({ name: 't', description: 't', inject }, () => 1);
    expect((await setup.agent.invoke('x')).result).toBe(true);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('that was answered is not asked again for the argument it was asked for', async () => {
    const service = serviceOf('yes');
    await using setup = await startAgent(
      async (session) => {
        await session.ask({ dataKey: 'ok', prompt: '?', input_type: 'boolean' });
        const first = await session.callTool('t');
        const second = await session.callTool('t');
        session.finish({ result: [first, second] });
      },
      { interruptService: service },
    );
    const inject = { ok: dependsOnInterrupt({ prompt: '?', inputType: 'boolean' }) };
    setup.agent.toolify({ name: 't', description: 't', inject }, ({ ok }) => ok);
    expect((await setup.agent.invoke('x')).result).toMatchObject([{ result: true }, { result: true }]);
    expect(service.asked).toHaveLength(2);
  });

  it('that was asked for one tool answers no other, also of an argument of that name', async () => {
    await using setup = await startAgent(
      async (session) => {
        await session.ask({ dataKey: 'ok', prompt: 'Send?', tool_name: 'send', input_type: 'boolean' });
        session.finish({ result: await session.callTools([{ name: 'remove' }, { name: 'send' }]) });
      },
      { interruptService: { ask: async ({ prompt }) => prompt === 'Send?' } },
    );
    for (const [name, prompt] of [
      ['remove', 'Remove?'],
      ['send', 'Send it?'],
    ] as const) {
      const inject = { ok: dependsOnInterrupt({ prompt, inputType: 'boolean' }) };
      setup.agent.toolify({ name, description: name, inject }, ({ ok }) => ok);
    }
    expect((await setup.agent.invoke('x')).result).toEqual([false, true]);
  });

  it('cannot be answered by the planner', async () => {
    await using setup = await startAgent(async (session) => {
      session.finish({ result: await session.callTool('t', { ok: true }) });
    });
    const inject = { ok: dependsOnInterrupt({ prompt: '?', inputType: 'boolean', handler: () => false }) };
    setup.agent.toolify({ name: 't', description: 't', inject }, ({ ok }) => ok);
    expect((await setup.agent.invoke('x')).result).toMatchObject({ result: false });
  });

  it('that nobody can see ends the run', async () => {
    await using setup = await startAgent(
      (session) => void session.ask({ dataKey: 'city', prompt: 'Where?' }),
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'INTERRUPT_UNATTENDED' });
  });

  it('of an original orchestrator goes on in another session', async () => {
    const final = { session_id: 'next', status: 'completed', responses: ['It rains.'] };
    await using setup = await startAgent(
      (session) => {
        session.send('interrupt_required', { checkpoint_id: 'cp-1', data_key: 'city', prompt: 'Where?' });
        session.finish({ status: 'interrupted' });
      },
      { interruptService: serviceOf('Oslo') },
      {
        intercept: ({ path }) => {
          if (path.includes('checkpoints')) return { status: 200, body: { session_id: 'next' } };
          if (path !== '/sessions/next/events') return undefined;
          const headers = { 'content-type': 'text/event-stream' };
          return { status: 200, headers, text: `event: final\ndata: ${JSON.stringify(final)}\n\n` };
        },
      },
    );
    const run = setup.agent.stream('x');
    const names: string[] = [];
    for await (const { name } of run) names.push(name);
    expect(names).toEqual(['interrupt_required', 'final']);
    expect(await run.response).toMatchObject({ response: 'It rains.', sessionId: 'next' });
  });

  it('that was refused ends the run with the refusal', async () => {
    await using setup = await startAgent(
      (session) => void session.ask({ dataKey: 'city', prompt: 'Where?' }),
      { interruptService: serviceOf('Oslo') },
      { intercept: ({ path }) => (path.includes('checkpoints') ? { status: 410, body: {} } : undefined) },
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ statusCode: 410 });
  });

  it.each([
    [409, 'CHECKPOINT_ANSWERED'],
    [410, 'CHECKPOINT_EXPIRED'],
    [409, 'RUN_ENDED'],
  ])('that was answered too late goes on as the orchestrator says (%s %s)', async (status, code) => {
    const refused = Promise.withResolvers<unknown>();
    configureLogging({ sink: ({ level, fields }) => level === 'warn' && refused.resolve(fields['code']) });
    await using setup = await startAgent(
      async (session) => {
        session.send('interrupt_required', { checkpoint_id: 'cp-1', data_key: 'city', prompt: 'Where?' });
        session.finish({ result: await refused.promise });
      },
      { interruptService: serviceOf('Oslo') },
      {
        intercept: ({ path }) =>
          path.includes('checkpoints') ? { status, body: { code, message: 'too late' } } : undefined,
      },
    );
    expect((await setup.agent.invoke('x')).result).toBe(code);
  });

  it('of the older kind is answered at the session', async () => {
    await using setup = await startAgent(
      async (session) => {
        session.send('interrupt_request', { id: 'q-1', value: { arg_name: 'city', prompt: 'Where?' } });
        session.finish({ result: await session.posted('q-1') });
      },
      { interruptService: serviceOf('Oslo') },
    );
    expect((await setup.agent.invoke('x')).result).toEqual({ 'q-1': { arg_name: 'city', value: 'Oslo' } });
  });
});
