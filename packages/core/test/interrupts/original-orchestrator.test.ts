import { describe, expect, it, vi } from 'vitest';
import { dependsOnInterrupt } from '../../src/decorators/depends-on.js';
import type { Script } from '../../src/testing/scripted-orchestrator.js';
import type { StreamEvent } from '../../src/compile/stream-event.js';
import { startAgent } from '../agent-setup.js';
import { serviceOf } from './interrupt-doubles.js';

/** Asks a question and ends the session at once. */
const askAndEnd: Script = (session) => {
  session.send('interrupt_required', { checkpoint_id: 'cp-1', data_key: 'city', prompt: 'Where?' });
  session.finish({ status: 'interrupted' });
};

/** An agent whose run continues in another session after an answer, and ends there with this final. */
const startOriginal = async (final: Readonly<Record<string, unknown>>) =>
  startAgent(
    askAndEnd,
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

describe('a question from an original orchestrator', () => {
  it('continues the run in another session once it is answered', async () => {
    const final = { session_id: 'next', status: 'completed', responses: ['It rains.'] };
    await using setup = await startOriginal(final);
    const run = setup.agent.stream('x');
    const names: string[] = [];
    for await (const { name } of run) names.push(name);
    expect(names).toEqual(['interrupt_required', 'final']);
    expect(await run.response).toMatchObject({ response: 'It rains.', sessionId: 'next' });
  });

  it('continues the run only once: an interrupted second session ends it', async () => {
    await using setup = await startOriginal({ session_id: 'next', status: 'interrupted' });
    const run = setup.agent.stream('x');
    const names: string[] = [];
    for await (const { name } of run) names.push(name);
    expect(names).toEqual(['interrupt_required', 'final']);
    await expect(run.response).rejects.toMatchObject({ code: 'RUN_INTERRUPTED' });
  });

  it('of the second session is asked once, even if its answer names the same session again', async () => {
    const service = serviceOf('Oslo');
    const question = { checkpoint_id: 'cp-2', data_key: 'street', prompt: 'Which street?' };
    const events = [
      ['interrupt_required', question],
      ['final', { session_id: 'next', status: 'interrupted' }],
    ] as const;
    const text = events
      .map(([name, payload]) => `event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`)
      .join('');
    await using setup = await startAgent(
      askAndEnd,
      { interruptService: service, timeoutMs: 5_000 },
      {
        intercept: ({ path }) => {
          if (path.includes('checkpoints')) return { status: 200, body: { session_id: 'next' } };
          if (path !== '/sessions/next/events') return undefined;
          return { status: 200, headers: { 'content-type': 'text/event-stream' }, text };
        },
      },
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'RUN_INTERRUPTED' });
    expect(service.asked).toMatchObject([{ dataKey: 'city' }, { dataKey: 'street' }]);
  });

  it('lets tools of the second session know its id', async () => {
    const posted = Promise.withResolvers<void>();
    const call = { id: 'call-1', value: { tool_call: { tool_id: 'where', tool_name: 'where', args: {} } } };
    const final = { session_id: 'next', status: 'completed' };
    await using setup = await startAgent(
      askAndEnd,
      { interruptService: serviceOf('Oslo') },
      {
        intercept: async ({ path, headers: { 'last-event-id': lastId } }) => {
          if (path.includes('checkpoints')) return { status: 200, body: { session_id: 'next' } };
          if (path === '/sessions/next/resume') {
            posted.resolve();
            return { status: 200, body: { accepted: true } };
          }
          if (path !== '/sessions/next/events') return undefined;
          if (lastId !== undefined) await posted.promise;
          const [name, payload, id] = lastId === undefined ? ['tool_event', call, 1] : ['final', final, 2];
          const text = `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(payload)}\n\n`;
          return { status: 200, headers: { 'content-type': 'text/event-stream' }, text };
        },
      },
    );
    const seen: string[] = [];
    setup.agent.toolify(
      { name: 'where', description: 'Tells where it runs' },
      (_args, { sessionId }) => void seen.push(sessionId),
    );
    await setup.agent.invoke('x');
    expect(seen).toEqual(['next']);
  });

  it('whose answer comes too late for any session leaves the run interrupted, with its final event', async () => {
    const refusal = { status: 409, body: { code: 'CHECKPOINT_EXPIRED', message: 'Too late.' } };
    await using setup = await startAgent(
      askAndEnd,
      { interruptService: serviceOf('Oslo') },
      { intercept: ({ path }) => (path.includes('checkpoints') ? refusal : undefined) },
    );
    const run = setup.agent.stream('x');
    const events: StreamEvent[] = [];
    for await (const event of run) events.push(event);
    expect(events.at(-1)).toMatchObject({ name: 'final', payload: { status: 'interrupted' } });
    await expect(run.response).rejects.toMatchObject({ code: 'RUN_INTERRUPTED' });
  });

  it('leaves no session open if the run fails in the other session', async () => {
    await using setup = await startOriginal({ status: 5 });
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'RUN_INVALID_FINAL' });
    await setup.agent.close();
    expect(setup.orchestrator.requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/sessions/next' });
  });

  it('that nobody can answer ends the run with that error', async () => {
    await using setup = await startAgent(askAndEnd);
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'INTERRUPT_UNATTENDED' });
  });

  it('whose answer is refused ends the run with the refusal', async () => {
    const refusal = { status: 422, body: { code: 'INVALID_ANSWER', message: 'No such city.' } };
    await using setup = await startAgent(
      askAndEnd,
      { interruptService: serviceOf('Atlantis') },
      { intercept: ({ path }) => (path.includes('checkpoints') ? refusal : undefined) },
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
  });

  it('is dropped when the run is cancelled, and the run ends as cancelled', async () => {
    await using setup = await startAgent(askAndEnd);
    const run = setup.agent.stream('x');
    const events: StreamEvent[] = [];
    for await (const event of run) {
      events.push(event);
      if (event.name === 'interrupt_required') void run.cancel('enough');
    }
    expect(events.at(-1)).toMatchObject({ name: 'final', payload: { status: 'cancelled', error: 'enough' } });
    await expect(run.response).rejects.toMatchObject({ message: 'The run was cancelled: enough' });
  });

  it('that is repeated while it is open is asked and answered once', async () => {
    const { promise: repeated, resolve: repeat } = Promise.withResolvers<void>();
    const service = { ask: vi.fn(async () => repeated.then(() => 'Oslo')) };
    await using setup = await startAgent(
      async (session) => {
        const asked = { checkpoint_id: 'session-1-call-0', data_key: 'city', prompt: 'Where?' };
        session.send('interrupt_required', asked);
        session.send('interrupt_required', asked);
        await session.posted('session-1-call-0');
        session.finish({ result: await session.callTool('travel') });
      },
      { interruptService: service },
    );
    const inject = { city: dependsOnInterrupt({ prompt: 'Where?' }) };
    setup.agent.toolify({ name: 'travel', description: 't', inject }, ({ city }) => city);
    const run = setup.agent.stream('x');
    let shown = 0;
    for await (const { name } of run) if (name === 'interrupt_required' && (shown += 1) === 2) repeat();
    expect((await run.response).result).toMatchObject({ result: 'Oslo' });
    expect(service.ask).toHaveBeenCalledTimes(1);
    expect(setup.orchestrator.requests.filter(({ path }) => path.includes('checkpoints'))).toHaveLength(1);
  });
});
