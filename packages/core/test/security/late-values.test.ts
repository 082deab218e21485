import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import { dependsOnAgent, dependsOnPrivateData, dependsOnTool } from '../../src/decorators/depends-on.js';
import { RedactedMessage } from '../../src/messages/message.js';
import { ToolError } from '../../src/tools/errors.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { SCRIPTED_API_KEY } from '../../src/testing/scripted-orchestrator.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { collect, startAgent } from '../agent-setup.js';

const CANARY = 'sk-live-canary-token-1234567890';

const oneCall = async (session: ScriptedSession): Promise<void> => {
  if (!session.state.swarm_config?.invoked_agent_name) await session.callTool('t');
  session.finish();
};

/** Runs an agent with the tool `t`; returns all events and request bodies as a string. */
async function seen(declare: (agent: Agent) => void, privateData: Record<string, unknown>): Promise<string> {
  await using setup = await startAgent(oneCall, { privateData });
  declare(setup.agent);
  const events = await collect(setup.agent.stream('x'));
  return JSON.stringify([events, setup.orchestrator.requests.map(({ body }) => body)]);
}

describe('a private value is hidden', () => {
  it('if a long error message is cut off in the middle of it', async () => {
    const text = await seen(
      (agent) =>
        agent.toolify({ name: 't', description: 't' }, () => {
          throw new Error(`${'x'.repeat(2035)}${CANARY}`);
        }),
      { token: CANARY },
    );
    expect(text).toContain('xxx');
    expect(text).not.toContain(CANARY.slice(0, 7));
  });

  it('in the details of an error, even as a key and if JSON cannot represent them', async () => {
    const fail = (details: Record<string, unknown>) =>
      seen(
        (agent) =>
          agent.toolify({ name: 't', description: 't' }, () => {
            throw new ToolError('no', { code: 'NO', details });
          }),
        { token: CANARY },
      );
    expect(await fail({ [CANARY]: { deep: [CANARY] } })).not.toContain(CANARY);
    expect(await fail({ [CANARY]: 1n })).not.toContain(CANARY);
    expect(await fail({ kind: 'card' })).toContain('card');
  });

  it('if it was set during the run', async () => {
    await using setup = await startAgent(
      async (session) => {
        setup.agent.privateData['token'] = CANARY;
        await session.callTool('t');
        session.finish();
      },
      { privateData: { token: 'first-value' } },
    );
    setup.agent.toolify(
      { name: 't', description: 't', inject: { token: dependsOnPrivateData('token') } },
      ({ token }) => ({ used: token }),
    );
    const events = JSON.stringify(await collect(setup.agent.stream('x')));
    expect(setup.bodies('/resume')).toMatchObject([{ value: { result: { used: '{_{token}_}' } } }]);
    expect(events).not.toContain(CANARY);
  });

  it.each<[string, (agent: Agent) => void]>([
    ['then replaces it', (agent) => void (agent.privateData['token'] = 'second-value')],
    ['then deletes it', (agent) => void delete agent.privateData['token']],
    ['then gives the agent other values', (agent) => void (agent.privateData = { other: 'second-value' })],
  ])('if the tool that sets it %s before it returns', async (_, change) => {
    const text = await seen(
      (agent) =>
        agent.toolify({ name: 't', description: 't' }, () => {
          agent.privateData['token'] = CANARY;
          change(agent);
          return { was: CANARY };
        }),
      { token: 'first-value' },
    );
    expect(text).toContain('was');
    expect(text).not.toContain(CANARY);
  });

  it('if the tool that sets it reports and returns it, though it is not injected', async () => {
    const text = await seen(
      (agent) =>
        agent.toolify({ name: 't', description: 't' }, async (_args, { reportProgress }) => {
          agent.privateData = { fresh: CANARY };
          await reportProgress({ progress: 1, message: CANARY });
          return CANARY;
        }),
      { token: 'first-value' },
    );
    expect(text).toContain('"result":"{_{fresh}_}"');
    expect(text).not.toContain(CANARY);
  });

  it('if it was changed in place during the run', async () => {
    const login = { password: 'first-password', codes: ['first-code'] };
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('t');
        login.password = CANARY;
        login.codes.push('second-code');
        await session.callTool('t');
        session.finish();
      },
      { privateData: { login } },
    );
    const schema = z.object({ password: z.string(), codes: z.array(z.string()) });
    const inject = { login: dependsOnPrivateData({ key: 'login', schema }) };
    setup.agent.toolify({ name: 't', description: 't', inject }, ({ login: given }) => [
      given.password,
      ...given.codes,
      'first-password',
    ]);
    const events = JSON.stringify(await collect(setup.agent.stream('x')));
    const hidden = '{_{login}_}';
    expect(setup.bodies('/resume')).toMatchObject([
      { value: { result: [hidden, hidden, hidden] } },
      { value: { result: [hidden, hidden, hidden, hidden] } },
    ]);
    expect(events).not.toContain(CANARY);
  });

  it('in the form into which its schema transforms it', async () => {
    const Credentials = z
      .string()
      .transform((text) => z.object({ password: z.string() }).parse(JSON.parse(text)));
    const text = await seen(
      (agent) =>
        agent.toolify(
          {
            name: 't',
            description: 't',
            inject: { login: dependsOnPrivateData({ key: 'login', schema: Credentials }) },
          },
          ({ login }) => ({ used: login.password }),
        ),
      { login: JSON.stringify({ password: CANARY }) },
    );
    expect(text).toContain('{_{login}_}');
    expect(text).not.toContain(CANARY);
  });

  it('in the prompt of an agent dependency', async () => {
    const text = await seen(
      (agent) => {
        const other = new Agent({ name: 'other', client: agent.client });
        agent.toolify(
          {
            name: 't',
            description: 't',
            inject: { found: dependsOnAgent(other, { prompt: () => `Use ${CANARY}` }) },
          },
          () => null,
        );
      },
      { token: CANARY },
    );
    expect(text).toContain('Use {_{token}_}');
    expect(text).not.toContain(CANARY);
  });

  it('in the input of the run, which is passed on to an agent dependency', async () => {
    await using setup = await startAgent(oneCall, { privateData: { token: CANARY } });
    const other = new Agent({ name: 'other', client: setup.agent.client });
    const inject = { found: dependsOnAgent(other) };
    setup.agent.toolify({ name: 't', description: 't', inject }, () => null);
    const events = JSON.stringify(await collect(setup.agent.stream(`My token is ${CANARY}`)));
    expect(events).toContain('My token is {_{token}_}');
    expect(events).not.toContain(CANARY);
  });

  it('if it belongs to an agent dependency that has not run', async () => {
    const text = await seen((agent) => {
      const other = new Agent({ name: 'other', client: agent.client, privateData: { account: CANARY } });
      agent.toolify({ name: 't', description: `Not ${CANARY}` }, () => CANARY);
      agent.toolify(
        { name: 'u', description: 'u', inject: { found: dependsOnAgent(other) } },
        ({ found }) => found,
      );
    }, {});
    expect(text).toContain('Not {_{account}_}');
    expect(text).not.toContain(CANARY);
  });

  it('if it belongs to an agent dependency that has run', async () => {
    await using setup = await startAgent(async (session) => {
      const isOther = session.state.swarm_config?.invoked_agent_name === 'other';
      await session.callTool(isOther ? 'leak' : 't');
      session.finish();
    });
    const other = new Agent({ name: 'other', client: setup.agent.client, privateData: { token: CANARY } });
    other.toolify({ name: 'leak', description: 'leak' }, () => CANARY);
    const inject = { found: dependsOnAgent(other) };
    setup.agent.toolify({ name: 't', description: 't', inject }, () => null);
    const events = JSON.stringify(await collect(setup.agent.stream('x')));
    const sent = JSON.stringify(setup.bodies('/resume'));
    expect(sent).toContain('{_{token}_}');
    expect(events + sent).not.toContain(CANARY);
  });

  it('in the tool results that a swarm member is called with', async () => {
    await using setup = await startAgent(async (session) => {
      if (!session.state.swarm_config?.invoked_agent_name) await session.callTool('member', { prompt: 'p' });
      session.finish();
    });
    const member = new Agent({ name: 'member', client: setup.agent.client });
    const swarm = new Swarm({ name: 's', client: setup.agent.client, privateData: { token: CANARY } });
    const lookUp = swarm.toolify({ name: 'look_up', description: 'look up' }, () => ({ [CANARY]: [CANARY] }));
    swarm.addAgent(member, { inject: { found: dependsOnTool(lookUp) } });
    await swarm.invoke('x');
    const bodies = JSON.stringify(setup.bodies('/start-session'));
    expect(bodies).toContain('agent_dependency_context');
    expect(bodies).not.toContain(CANARY);
  });

  it('in the system prompt of a swarm', async () => {
    await using setup = await startAgent((session) => session.finish());
    const swarm = new Swarm({
      name: 's',
      agents: [setup.agent],
      systemPrompt: `Use ${CANARY}`,
      privateData: { token: CANARY },
    });
    await swarm.invoke('x');
    const bodies = JSON.stringify(setup.bodies('/start-session'));
    expect(bodies.match(/Use \{_\{token\}_\}/g)).toHaveLength(2);
    expect(bodies).not.toContain(CANARY);
  });
});

describe('personal data of a redacted message', () => {
  it('is not in the error for a result of the wrong shape', async () => {
    await using setup = await startAgent((session) =>
      session.finish({ responses: ['It is {_{pii_email_1}_}'], result: 3 }),
    );
    const output = setup.agent.structuredOutput(z.object({ a: z.string() }));
    const error = await output
      .invoke(new RedactedMessage('Mail john@example.com'))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ response: { response: 'It is john@example.com' } });
    expect(inspect(error) + JSON.stringify(error)).not.toContain('john@');
  });

  it('is not shown when a preview is printed or serialized', () => {
    const agent = new Agent({ name: 'a', apiKey: 'k' });
    const knownPiiValues = ['Maria Santos', 'Somebody Else'];
    const preview = agent.previewRedaction(new RedactedMessage('I am Maria Santos', { knownPiiValues }));
    expect([...preview.matchedKnownPiiValues, ...preview.unmatchedKnownPiiValues]).toEqual(knownPiiValues);
    expect(inspect(preview, { depth: 9 }) + JSON.stringify(preview)).not.toMatch(/Maria|Somebody/);
  });
});

it('an API key that a service repeats in its refusal is not in the error', async () => {
  const intercept = ({ headers }: { headers: Record<string, unknown> }) => ({
    status: 401,
    body: { code: 'x', message: `Not valid: ${String(headers['authorization'])}` },
  });
  await using setup = await startAgent(() => {}, {}, { intercept });
  const error = await setup.agent.invoke('x').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ detail: 'Not valid: Bearer [API key]' });
  expect(inspect(error, { showHidden: true })).not.toContain(SCRIPTED_API_KEY);
});

it('an API key that is repeated in the content type of what should be a stream is not in the error', async () => {
  await using setup = await startAgent(
    () => {},
    {},
    {
      intercept: ({ path, headers }) =>
        path.endsWith('/events')
          ? { status: 200, headers: { 'content-type': `text/html; sent="${headers.authorization}"` } }
          : undefined,
    },
  );
  const error = await setup.agent.invoke('x').catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'HTTP_INVALID_RESPONSE',
    message: expect.stringContaining('[API key]'),
  });
  expect(inspect(error, { showHidden: true })).not.toContain(SCRIPTED_API_KEY);
});

it('an API key that a tool returns is not sent', async () => {
  await using setup = await startAgent(oneCall);
  setup.agent.toolify({ name: 't', description: 't' }, () => ({
    environment: `SVC_API_KEY=${SCRIPTED_API_KEY}`,
  }));
  const events = await collect(setup.agent.stream('x'));
  const sent = JSON.stringify([events, setup.bodies('/resume')]);
  expect(sent).toContain('SVC_API_KEY={_{SVC_API_KEY}_}');
  expect(sent).not.toContain(SCRIPTED_API_KEY);
  expect(setup.agent.privateValues()).toEqual([]);
});

it.each([
  ['an error event', 'error', { error: SCRIPTED_API_KEY, details: { code: SCRIPTED_API_KEY } }],
  ['a failed final', 'final', { error_info: { code: SCRIPTED_API_KEY, message: SCRIPTED_API_KEY } }],
  ['a failed final of the original', 'final', { error: SCRIPTED_API_KEY }],
])('an API key that the orchestrator repeats in %s is not shown', async (_what, name, payload) => {
  await using setup = await startAgent((session) => {
    session.send(name, payload);
    session.send('final', { status: 'failed', error: 'broke' });
  });
  const run = setup.agent.stream('x');
  const events = await collect(run);
  const error: unknown = await run.response.catch((reason: unknown) => reason);
  expect(JSON.stringify(events)).toContain('SVC_API_KEY');
  expect(JSON.stringify(events) + inspect(error, { depth: 9 })).not.toContain(SCRIPTED_API_KEY);
});
