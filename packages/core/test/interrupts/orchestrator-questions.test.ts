import { afterEach, describe, expect, it, vi } from 'vitest';
import { dependsOnInterrupt } from '../../src/decorators/depends-on.js';
import { configureLogging } from '../../src/logging/logger.js';
import { startAgent } from '../agent-setup.js';
import { serviceOf } from './interrupt-doubles.js';

afterEach(() => configureLogging());

describe('a question from the orchestrator', () => {
  it('is answered at its checkpoint, and the same stream continues', async () => {
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

  it('answers the next call that needs its argument, but no later one', async () => {
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

  it.each([
    ['answers a call that arrives before the response to its answer', 200, ['yes'], ['yes']],
    ['does not answer a call if the answer is refused', 410, ['yes', 'no'], ['no']],
  ])('%s', async (_what, status, answers, results) => {
    const answering = [...answers];
    const service = { ask: vi.fn(async () => answering.shift()) };
    const { promise: posted, resolve: post } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    await using setup = await startAgent(
      async (session) => {
        session.send('interrupt_required', { checkpoint_id: 'cp', data_key: 'city', prompt: 'Where?' });
        await posted;
        const answer = await session.callTool('travel');
        session.finish({ result: answer.status === 'ok' ? [answer.result] : answer });
      },
      { interruptService: service },
      {
        intercept: async ({ path }) => {
          if (!path.includes('checkpoints')) return undefined;
          post();
          await begun;
          return { status, body: { session_id: 'session-1', code: 'CHECKPOINT_EXPIRED', message: 'Late.' } };
        },
      },
    );
    const inject = { city: dependsOnInterrupt({ prompt: 'Where?' }) };
    setup.agent.toolify({ name: 'travel', description: 't', inject }, ({ city }) => city);
    const run = setup.agent.stream('x');
    for await (const { name } of run) if (name === 'tool_event') begin();
    expect((await run.response).result).toEqual(results);
    expect(service.ask).toHaveBeenCalledTimes(answers.length);
  });

  it('for an unknown tool answers any tool that has its argument', async () => {
    const service = serviceOf('yes');
    await using setup = await startAgent(
      async (session) => {
        await session.ask({ dataKey: 'ok', prompt: '?', tool_name: 'elsewhere', input_type: 'boolean' });
        session.finish({ result: await session.callTool('t') });
      },
      { interruptService: service },
    );
    const inject = { ok: dependsOnInterrupt({ prompt: '?', inputType: 'boolean' }) };
    setup.agent.toolify({ name: 't', description: 't', inject }, ({ ok }) => ok);
    await setup.agent.invoke('x');
    expect(service.asked).toHaveLength(1);
  });

  it.each([
    ['a choice without choices', { input_type: 'choice' }, { inputType: 'text' }],
    ['a literal', { input_type: 'literal', choices: ['Oslo'] }, { inputType: 'choice', choices: ['Oslo'] }],
  ])('with %s is asked anyway', async (_what, fields, request) => {
    const service = serviceOf('Oslo');
    await using setup = await startAgent(
      async (session) => {
        session.finish({ result: await session.ask({ dataKey: 'city', prompt: 'Where?', ...fields }) });
      },
      { interruptService: service },
    );
    expect((await setup.agent.invoke('x')).result).toBe('Oslo');
    expect(service.asked).toMatchObject([request]);
  });

  it('with an invalid expires_at is asked with a finite expiry time', async () => {
    class Service {
      readonly times: number[] = [];
      async ask({ expiresAt }: { expiresAt: number }) {
        this.times.push(expiresAt);
        return 'Oslo';
      }
    }
    const service = new Service();
    await using setup = await startAgent(
      async (session) => {
        await session.ask({ dataKey: 'city', prompt: 'Where?', expires_at: 'soon' });
        session.finish();
      },
      { interruptService: service },
    );
    await setup.agent.invoke('x');
    expect(service.times).toEqual([expect.toSatisfy(Number.isFinite)]);
  });

  it.each(['interrupt_id', 'checkpoint_id'])('can be answered by its %s', async (field) => {
    await using setup = await startAgent(async (session) => {
      const asked = { dataKey: 'city', prompt: 'Where?', interrupt_id: 'i-1' };
      session.finish({ result: await session.ask(asked) });
    });
    const run = setup.agent.stream('x');
    for await (const { name, payload } of run)
      if (name === 'interrupt_required') await run.answer(String(payload[field]), 'Oslo');
    expect((await run.response).result).toBe('Oslo');
  });

  it('is dropped when the run is cancelled, and the final comes from the orchestrator', async () => {
    await using setup = await startAgent(
      (session) => void session.ask({ dataKey: 'city', prompt: 'Where?' }),
    );
    const run = setup.agent.stream('x');
    const names: string[] = [];
    for await (const { name } of run) {
      names.push(name);
      if (name === 'interrupt_required') void run.cancel('enough');
    }
    expect(names).toEqual(['interrupt_required', 'final']);
    await expect(run.response).rejects.toMatchObject({
      message: "The run ended with status 'cancelled': enough",
    });
  });

  it('for one tool does not answer another tool with an argument of the same name', async () => {
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

  it('that nobody can answer ends the run', async () => {
    await using setup = await startAgent(
      (session) => void session.ask({ dataKey: 'city', prompt: 'Where?' }),
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'INTERRUPT_UNATTENDED' });
  });

  it('whose answer is refused ends the run with that error', async () => {
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
  ])('that is answered too late leaves the outcome to the orchestrator (%s %s)', async (status, code) => {
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

  it('that is malformed is logged with its invalid fields', async () => {
    const logged: unknown[] = [];
    configureLogging({ sink: ({ fields }) => logged.push(fields['fields']) });
    await using setup = await startAgent((session) => {
      session.send('interrupt_required', { checkpoint_id: 'c', data_key: 'city', prompt: '?', choices: [5] });
      session.finish();
    });
    await setup.agent.invoke('x');
    expect(logged).toEqual([['choices.0']]);
  });

  it('in an interrupt_request is answered at the session', async () => {
    await using setup = await startAgent(
      async (session) => {
        session.send('interrupt_request', { id: 'q-1', value: { arg_name: 'city', prompt: 'Where?' } });
        session.finish({ result: await session.posted('q-1') });
      },
      { interruptService: serviceOf('Oslo') },
    );
    expect((await setup.agent.invoke('x')).result).toEqual({ 'q-1': { arg_name: 'city', value: 'Oslo' } });
  });

  it('in an interrupt_request is answered with placeholders for private values', async () => {
    await using setup = await startAgent(
      async (session) => {
        session.send('interrupt_request', { id: 'q-1', value: { arg_name: 'card', prompt: 'Which?' } });
        session.finish({ result: await session.posted('q-1') });
      },
      { interruptService: serviceOf('tok_9f31'), privateData: { card: 'tok_9f31' } },
    );
    await setup.agent.invoke('x');
    expect(JSON.stringify(setup.bodies('/resume'))).toContain('{_{card}_}');
    expect(JSON.stringify(setup.bodies('/resume'))).not.toContain('tok_9f31');
  });

  it('in an interrupt_request that nobody can answer ends the run', async () => {
    await using setup = await startAgent((session) =>
      session.send('interrupt_request', { id: 'q-1', value: { arg_name: 'city', prompt: 'Where?' } }),
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'INTERRUPT_UNATTENDED' });
  });

  it('in an interrupt_request ends the run if the orchestrator refuses its answer', async () => {
    await using setup = await startAgent(
      (session) =>
        session.send('interrupt_request', { id: 'q-1', value: { arg_name: 'city', prompt: 'Where?' } }),
      { interruptService: serviceOf('Oslo') },
      {
        intercept: ({ path }) =>
          path.endsWith('/resume') ? { status: 403, body: { code: 'FORBIDDEN', message: 'no' } } : undefined,
      },
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

it('an argument injected from an interrupt cannot be set by the planner', async () => {
  await using setup = await startAgent(async (session) => {
    session.finish({ result: await session.callTool('t', { ok: true }) });
  });
  const inject = { ok: dependsOnInterrupt({ prompt: '?', inputType: 'boolean', handler: () => false }) };
  setup.agent.toolify({ name: 't', description: 't', inject }, ({ ok }) => ok);
  expect((await setup.agent.invoke('x')).result).toMatchObject({ result: false });
});
