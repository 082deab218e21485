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

describe('a run whose event stream breaks', () => {
  it.each(steps.map((_step, index) => index))(
    'after step %i loses no events and runs no call twice',
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

  it('continues from what is left of its events: a lost result is posted again, and no call runs twice', async () => {
    const frame = (id: number, name: string, payload: unknown) =>
      `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(payload)}\n\n`;
    const call = (id: string) => ({ id, value: { tool_call: { tool_id: 't', args: {} } } });
    const posts = (id: string) =>
      setup.bodies('/resume').filter((body) => JSON.stringify(body).includes(`"${id}"`)).length;
    const kept = frame(1, 'status_message', { message: 'Looking' }) + frame(2, 'tool_event', call('ev-1'));
    const streams = [
      { until: () => true, text: kept + frame(3, 'status_message', { message: 'Lost' }) },
      { until: () => posts('ev-1') === 1, text: kept },
      { until: () => posts('ev-1') === 2, text: frame(3, 'tool_event', call('ev-2')) },
      {
        until: () => posts('ev-2') === 1,
        text: frame(4, 'final', { status: 'completed', responses: ['done'] }),
      },
    ];
    const intercept = async ({ path }: RecordedRequest): Promise<ReplacedAnswer | undefined> => {
      if (!path.endsWith('/events')) return undefined;
      const next = streams.shift();
      await expect.poll(next?.until ?? (() => true)).toBe(true);
      return { status: 200, text: next?.text, headers: { 'content-type': 'text/event-stream' } };
    };
    await using setup = await startAgent(() => {}, {}, { intercept });
    let runs = 0;
    setup.agent.toolify({ name: 't', description: 't' }, () => (runs += 1));
    const run = setup.agent.stream('x');
    const shown = (await collect(run)).map(
      ({ name, payload }) => payload['message'] ?? payload['status'] ?? name,
    );
    expect(await run.response).toMatchObject({ response: 'done' });
    expect(runs).toBe(2);
    expect(shown.toSorted()).toEqual(
      ['Looking', 'Lost', 'executing', 'completed', 'executing', 'completed', 'completed'].toSorted(),
    );
  });

  it('fails with the HTTP error if the stream cannot be reopened', async () => {
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
  ])('fails after one request if it is refused with %i', async (status, body, expected) => {
    await using setup = await startAgent(() => {}, {}, { intercept: () => ({ status, body }) });
    await expect(setup.agent.invoke('x')).rejects.toMatchObject(expected);
    expect(setup.orchestrator.requests).toHaveLength(1);
  });

  it('waits as long as a 429 of the orchestrator asks', async () => {
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
    'refuses an %s of another origin before the key is sent, and ends the session',
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
      const sent = setup.orchestrator.requests.map(({ method, path }) => `${method} ${path}`);
      expect(sent).toEqual(['POST /start-session', 'DELETE /sessions/s']);
      expect(foreign).toEqual([]);
    },
  );

  it('fails with HTTP_INVALID_RESPONSE if the response is invalid', async () => {
    await using setup = await startAgent(
      () => {},
      {},
      { intercept: () => ({ status: 200, body: { session_id: '' } }) },
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'HTTP_INVALID_RESPONSE' });
  });
});
