import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../src/testing/scripted-orchestrator.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { collect, startAgent } from '../agent-setup.js';

describe('a run', () => {
  const endless = async (session: ScriptedSession): Promise<void> => {
    session.say('working');
    await new Promise((resolve) => session.signal.addEventListener('abort', resolve));
  };

  it('fails with RUN_TIMEOUT after timeoutMs and ends its session', async () => {
    let last: string | undefined;
    // On a busy machine a short timeout can expire before there is a session to end.
    for (const timeoutMs of [1000, 10_000, 60_000]) {
      if (last === 'DELETE') break;
      await using setup = await startAgent(endless);
      await expect(setup.agent.invoke('x', { timeoutMs })).rejects.toMatchObject({ code: 'RUN_TIMEOUT' });
      await setup.agent.close();
      last = setup.orchestrator.requests.at(-1)?.method;
    }
    expect(last).toBe('DELETE');
  });

  it('rejects with the reason of an aborted signal and ends its session', async () => {
    await using setup = await startAgent(endless);
    const controller = new AbortController();
    const run = setup.agent.stream('x', { signal: controller.signal });
    const reading = (async () => {
      for await (const _event of run) controller.abort(new DOMException('enough', 'AbortError'));
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError', message: 'enough' });
    await expect(run.response).rejects.toMatchObject({ name: 'AbortError' });
    await setup.agent.close();
    expect(setup.orchestrator.requests.at(-1)?.method).toBe('DELETE');
  });

  it('is cancelled when its agent is closed, and its error says so', async () => {
    await using setup = await startAgent(endless);
    const run = setup.agent.stream('x');
    let final: unknown;
    for await (const { name, payload } of run) {
      if (name === 'final') final = payload;
      else void setup.agent.close();
    }
    const why = 'The run was cancelled because its agent or swarm was closed.';
    expect(final).toMatchObject({ status: 'cancelled', error: why });
    await expect(run.response).rejects.toMatchObject({
      code: 'RUN_CANCELLED',
      message: expect.stringContaining(why),
    });
  });

  it('sends its cancel reason to the orchestrator, without private values and cut to 500 characters', async () => {
    await using setup = await startAgent(endless, { privateData: { card: 'tok_9f31' } });
    const run = setup.agent.stream('x', { privateData: { pin: 'pin-4711' } });
    const reason = `no more tok_9f31, pin-4711 ${'a'.repeat(600)}`;
    for await (const { name } of run) if (name !== 'final') void run.cancel(reason);
    const sent = `no more {_{card}_}, {_{pin}_} ${'a'.repeat(600)}`.slice(0, 500);
    expect(setup.orchestrator.requests.at(-1)).toMatchObject({ method: 'DELETE', body: { reason: sent } });
    await expect(run.response).rejects.toMatchObject({
      code: 'RUN_CANCELLED',
      response: { error: { message: sent } },
    });
  });

  it.each([
    ['null', null, undefined],
    ['an empty string', '', undefined],
    ['a long string with an emoji at the limit', `${'a'.repeat(499)}😀`, { reason: 'a'.repeat(499) }],
    [
      'the error that aborted a signal',
      AbortSignal.abort(new Error('boom')).reason,
      { reason: 'Error: boom' },
    ],
  ])('ends its session when the cancel reason is %s', async (_, reason, body) => {
    await using setup = await startAgent(endless);
    const run = setup.agent.stream('x');
    for await (const { name } of run) if (name !== 'final') void run.cancel(reason);
    const last = setup.orchestrator.requests.at(-1);
    expect([last?.method, last?.body]).toEqual(['DELETE', body]);
    await expect(run.response).rejects.toMatchObject({
      message: expect.stringContaining("run ended with status 'cancelled'"),
    });
  });

  it.each(['before it starts', 'while its session is being opened'])(
    'that is cancelled %s shows a final event with the reason, without private values',
    async (when) => {
      await using setup = await startAgent(endless, { privateData: { card: 'tok_9f31' } });
      const run = setup.agent.stream('x', { privateData: { pin: 'pin-4711' } });
      const reading = when === 'before it starts' ? undefined : collect(run);
      await run.cancel(`no more tok_9f31, pin-4711 ${'a'.repeat(600)}`);
      const [final, ...others] = (await reading) ?? (await collect(run));
      expect(others).toEqual([]);
      const error = `no more {_{card}_}, {_{pin}_} ${'a'.repeat(600)}`.slice(0, 500);
      expect(final).toMatchObject({
        name: 'final',
        payload: { status: 'cancelled', error, error_info: { code: 'RUN_CANCELLED', message: error } },
      });
      await expect(run.response).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
    },
  );

  it('sends only its first cancel reason to the orchestrator', async () => {
    await using setup = await startAgent(endless);
    const run = setup.agent.stream('x');
    for await (const { name } of run) {
      if (name === 'final') continue;
      void run.cancel('first');
      void run.cancel('second');
    }
    const cancel = setup.orchestrator.requests.find(({ method }) => method === 'DELETE');
    expect(cancel?.body).toEqual({ reason: 'first' });
  });

  it('ends when its loop is left', async () => {
    await using setup = await startAgent(endless);
    for await (const _event of setup.agent.stream('x')) break;
    expect(setup.agent.runs.size).toBe(0);
  });

  /** Sends more events than are buffered for a reader that has stopped reading. */
  const talkative = async (session: ScriptedSession): Promise<void> => {
    for (let n = 0; n < 3000; n += 1) session.say(`word ${n}`);
    await endless(session);
  };

  it('can be cancelled inside its own loop, however many events are buffered', async () => {
    await using setup = await startAgent(talkative);
    const run = setup.agent.stream('x');
    let last = '';
    for await (const { name } of run) {
      if (last === '') await run.cancel();
      last = name;
    }
    expect(last).toBe('final');
    await expect(run.response).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  });

  it('fails with RUN_TIMEOUT even if its reader has stopped reading', async () => {
    await using setup = await startAgent(talkative);
    const run = setup.agent.stream('x', { timeoutMs: 500 });
    await Promise.allSettled([run[Symbol.asyncIterator]().next()]);
    await expect(run.response).rejects.toMatchObject({ code: 'RUN_TIMEOUT' });
  });

  it('leaves no listener on a signal that many runs share', async () => {
    await using setup = await startAgent(async (session) => {
      session.finish({ result: await session.callTool('t') });
    });
    setup.agent.toolify({ name: 't', description: 't' }, () => 1);
    const { signal } = new AbortController();
    const inputs = Array.from({ length: 20 }, (_item, n) => String(n));
    await setup.agent.batch(inputs, { signal, maxConcurrency: 20 });
    await Promise.all(inputs.map(async (input) => setup.agent.invoke(input, { signal })));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('posts no results of calls that a cancel aborted', async () => {
    // The cancel takes longer than other requests, so that a post would arrive first.
    const intercept = async ({ method, headers }: RecordedRequest): Promise<undefined> => {
      if (method !== 'DELETE') return;
      for (let n = 0; n < 5; n += 1) await fetch(`http://${headers.host}/other`);
    };
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('t');
      },
      {},
      { intercept },
    );
    setup.agent.toolify({ name: 't', description: 't' }, async (_args, { signal }) => {
      void run.cancel();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    });
    const run = setup.agent.stream('x');
    const events = await collect(run);
    expect(events.map(({ payload }) => payload['status'])).toEqual(['executing', 'cancelled', 'cancelled']);
    expect(setup.bodies('/resume')).toEqual([]);
  });

  it('sends no request if its signal is already aborted', async () => {
    await using setup = await startAgent(endless);
    await expect(setup.agent.invoke('x', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it('does not begin until it is iterated or awaited', async () => {
    await using setup = await startAgent((session) => session.finish());
    const run = setup.agent.stream('x');
    const { response } = run;
    await new Promise((resolve) => setImmediate(resolve));
    expect(setup.orchestrator.requests).toEqual([]);
    await response;
    expect(setup.orchestrator.requests).not.toEqual([]);
  });

  it('causes no unhandled rejection if nobody awaits its failure', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    await using setup = await startAgent((session) => session.fail('no'));
    const run = setup.agent.stream('x');
    await collect(run);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
