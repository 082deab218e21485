import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { RecordedRequest, ReplacedAnswer } from '../../src/testing/scripted-orchestrator.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { collect, startAgent } from '../agent-setup.js';

const steps: ((session: ScriptedSession) => unknown)[] = [
  (session) => session.send('enrichment', { phase: 'planning', message: 'Planning' }),
  (session) => session.callTool('t', {}, 'ev-1'),
  (session) => session.say('one'),
  (session) => session.callTool('t', {}, 'ev-2'),
  (session) => session.say('two'),
];

const whole = [
  'enrichment',
  'tool_event executing ev-1',
  'tool_event completed ev-1',
  'update',
  'tool_event executing ev-2',
  'tool_event completed ev-2',
  'update',
  'final',
];

describe('a stream that is cut', () => {
  it.each(steps.map((_step, index) => index))(
    'after step %i loses nothing and runs nothing twice',
    async (cutAt) => {
      await using setup = await startAgent(async (session) => {
        for (const [index, step] of steps.entries()) {
          const done = step(session);
          if (index === cutAt) session.cut();
          await done;
        }
        session.finish({ responses: ['done'] });
      });
      let runs = 0;
      setup.agent.toolify({ name: 't', description: 't' }, () => (runs += 1));
      const events = await collect(setup.agent.stream('x'));
      const shown = events.map(({ name, payload }) =>
        name === 'tool_event' ? `${name} ${String(payload['status'])} ${String(payload['tool_id'])}` : name,
      );
      expect(shown.toSorted()).toEqual(whole.toSorted());
      expect(runs).toBe(2);
      expect(setup.bodies('/resume')).toHaveLength(2);
    },
  );

  it('and not opened again fails the run with what happened', async () => {
    let count = 0;
    const intercept = ({ path }: RecordedRequest): ReplacedAnswer | undefined =>
      path.endsWith('/events') && (count += 1) > 1 ? { status: 404, body: {} } : undefined;
    await using setup = await startAgent(
      (session) => {
        session.say('one');
        session.cut();
      },
      {},
      { intercept },
    );
    const run = setup.agent.stream('x');
    await expect(collect(run)).rejects.toMatchObject({ statusCode: 404 });
    await expect(run.response).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('the start of a run', () => {
  it.each([
    [
      401,
      { code: 'invalid_key', message: 'No.' },
      { name: 'MaivnHTTPError', statusCode: 401, code: 'invalid_key' },
    ],
    [
      403,
      { code: 'invalid_key', message: 'No.' },
      { name: 'MaivnHTTPError', statusCode: 403, reason: 'Forbidden' },
    ],
    [
      429,
      { code: 'plan_limit_exceeded', message: 'No.' },
      { name: 'PlanLimitExceededError', statusCode: 429 },
    ],
    [500, '<html>', { name: 'MaivnHTTPError', statusCode: 500, code: 'HTTP_500' }],
    [422, { detail: 'bad' }, { statusCode: 422, detail: 'bad' }],
  ])('that is refused with %i is raised after one request', async (status, body, expected) => {
    await using setup = await startAgent(() => {}, {}, { intercept: () => ({ status, body }) });
    await expect(setup.agent.invoke('x')).rejects.toMatchObject(expected);
    expect(setup.orchestrator.requests).toHaveLength(1);
  });

  it('waits when the orchestrator asks for time', async () => {
    let count = 0;
    const intercept = (): ReplacedAnswer | undefined =>
      (count += 1) === 1 ? { status: 429, headers: { 'retry-after': '3' }, body: {} } : undefined;
    await using setup = await startAgent(
      (session) => session.finish({ responses: ['hi'] }),
      {},
      { intercept },
    );
    expect((await setup.agent.invoke('x')).response).toBe('hi');
    expect(setup.runtime.sleeps).toEqual([3000]);
  });

  it.each(['events_url', 'resume_url'])(
    'with an %s of another origin is refused before the key is sent',
    async (field) => {
      const foreign: RecordedRequest[] = [];
      await using other = await startAgent(
        () => {},
        {},
        {
          intercept: (request) => {
            foreign.push(request);
            return { status: 200, body: {} };
          },
        },
      );
      await using setup = await startAgent(
        () => {},
        {},
        {
          intercept: ({ path, headers }) => {
            const own = (name: string) => `http://${headers.host}/${name}`;
            const urls = {
              events_url: own('e'),
              resume_url: own('r'),
              [field]: `${other.orchestrator.url}/x`,
            };
            return path === '/start-session'
              ? { status: 200, body: { session_id: 's', ...urls } }
              : undefined;
          },
        },
      );
      await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'HTTP_FOREIGN_ORIGIN' });
      expect(setup.orchestrator.requests.map(({ path }) => path)).toEqual(['/start-session']);
      expect(foreign).toEqual([]);
    },
  );

  it('with an answer that is none fails with a code', async () => {
    await using setup = await startAgent(
      () => {},
      {},
      { intercept: () => ({ status: 200, body: { session_id: '' } }) },
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'HTTP_INVALID_RESPONSE' });
  });
});

describe('the end of a run', () => {
  it('after an error event keeps the text of the error', async () => {
    await using setup = await startAgent((session) => {
      session.send('error', { error: 'server exploded', details: {} });
      session.hangUp();
    });
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({
      code: 'RUN_STREAM_ERROR',
      message: expect.stringContaining('server exploded'),
    });
    expect(setup.bodies('/events')).toHaveLength(1);
  });

  it('that failed after an error event has that event as its cause', async () => {
    await using setup = await startAgent((session) => {
      session.send('error', { error: 'server exploded' });
      session.send('error', { error: 'and burned' });
      session.fail('the run failed');
    });
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringContaining('the run failed'),
      cause: { code: 'RUN_STREAM_ERROR', message: 'server exploded' },
      response: { status: 'failed' },
    });
  });

  it('that failed says why in a code, and in which conversation, also when the final does not', async () => {
    await using setup = await startAgent((session) => session.fail('no', 'PLANNER_LOST'));
    await expect(setup.agent.invoke('x', { threadId: 'thread-1' })).rejects.toMatchObject({
      details: { status: 'failed', session_id: 'session-1', reason_code: 'PLANNER_LOST' },
      response: { threadId: 'thread-1' },
    });
  });

  it.each([
    ['no status', {}],
    ['a status nobody knows', { status: 'crashed' }],
  ])('with an error and %s is no success', async (_name, final) => {
    await using setup = await startAgent((session) => {
      session.send('final', { ...final, error: 'it broke', responses: [] });
      session.hangUp();
    });
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringContaining('it broke'),
    });
  });

  it('after an error event may still be a final', async () => {
    await using setup = await startAgent((session) => {
      session.send('error', { error: 'a hiccup' });
      session.finish({ responses: ['all the same'] });
    });
    expect((await setup.agent.invoke('x')).response).toBe('all the same');
  });

  it.each([
    ['failed', 'RUN_FAILED'],
    ['cancelled', 'RUN_CANCELLED'],
    ['interrupted', 'RUN_INTERRUPTED'],
  ])('with status %s rejects with the response', async (status, code) => {
    await using setup = await startAgent((session) =>
      session.finish({ status, error: 'it broke', responses: ['so far'], token_usage: { total_tokens: 3 } }),
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({
      name: 'RunFailedError',
      code,
      message: expect.stringContaining('it broke'),
      response: { status, responses: ['so far'], sessionId: 'session-1', tokenUsage: { total_tokens: 3 } },
    });
  });

  it('brings the ids and counts of the orchestrator', async () => {
    await using setup = await startAgent((session) =>
      session.finish({
        session_id: 'theirs',
        thread_id: 'thread-9',
        assistant_id: 'a',
        responses: ['one', 'two', ' '],
        token_usage: { total_tokens: 5, input_tokens: 3 },
      }),
    );
    expect(await setup.agent.invoke('x')).toMatchObject({
      sessionId: 'theirs',
      threadId: 'thread-9',
      assistantId: 'a',
      response: 'two',
      tokenUsage: { total_tokens: 5, input_tokens: 3, output_tokens: 0 },
    });
  });

  it('stops tools that still run', async () => {
    let reason: unknown;
    await using setup = await startAgent((session) => {
      session.send('tool_event', { id: 'ev-1', value: { tool_call: { tool_id: 't', args: {} } } });
    });
    setup.agent.toolify({ name: 't', description: 't' }, async (_args, { signal }) => {
      setup.orchestrator.sessions.get('session-1')?.finish();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      reason = signal.reason;
    });
    const events = await collect(setup.agent.stream('x'));
    expect(events.at(-1)?.name).toBe('final');
    expect(reason).toMatchObject({ name: 'AbortError' });
    expect(setup.bodies('/resume')).toEqual([]);
  });
});

describe('a run that takes too long, or that its caller ends', () => {
  const endless = async (session: ScriptedSession): Promise<void> => {
    session.say('working');
    await new Promise((resolve) => session.signal.addEventListener('abort', resolve));
  };

  it('fails after its time and ends the session', async () => {
    await using setup = await startAgent(endless);
    await expect(setup.agent.invoke('x', { timeoutMs: 1000 })).rejects.toMatchObject({ code: 'RUN_TIMEOUT' });
    await setup.agent.close();
    expect(setup.orchestrator.requests.at(-1)?.method).toBe('DELETE');
  });

  it('rejects with the reason of the signal and ends the session', async () => {
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

  /** More events than are kept for a reader who does not read. */
  const talkative = async (session: ScriptedSession): Promise<void> => {
    for (let n = 0; n < 3000; n += 1) session.say(`word ${n}`);
    await endless(session);
  };

  it('can be cancelled inside its own loop, however many events wait', async () => {
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

  it('fails after its time also when its reader does not read', async () => {
    await using setup = await startAgent(talkative);
    const run = setup.agent.stream('x', { timeoutMs: 500 });
    await run[Symbol.asyncIterator]().next();
    await expect(run.response).rejects.toMatchObject({ code: 'RUN_TIMEOUT' });
  });

  it('leaves no listener on the signal of its caller, though many runs share it', async () => {
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

  it('posts nothing of the calls that it stopped', async () => {
    // The cancel takes longer than other requests, so that a post would come through.
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
    expect(events.map(({ payload }) => payload['status'])).toEqual(['executing', 'failed', 'cancelled']);
    expect(setup.bodies('/resume')).toEqual([]);
  });

  it('sends nothing when the signal has aborted before', async () => {
    await using setup = await startAgent(endless);
    await expect(setup.agent.invoke('x', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it('does nothing, not even start, until somebody pulls or awaits', async () => {
    await using setup = await startAgent((session) => session.finish());
    const run = setup.agent.stream('x');
    const { response } = run;
    await new Promise((resolve) => setImmediate(resolve));
    expect(setup.orchestrator.requests).toEqual([]);
    await response;
    expect(setup.orchestrator.requests).not.toEqual([]);
  });

  it('that failed and is awaited by nobody troubles nobody', async () => {
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
