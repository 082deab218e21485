import { describe, expect, it } from 'vitest';
import { dependsOnInterrupt } from '../../src/decorators/depends-on.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { startAgent } from '../agent-setup.js';

const CANARY = 'sk-live-canary-token-1234567890';

const oneCall = async (session: ScriptedSession): Promise<void> => {
  await session.callTool('t');
  session.finish();
};

describe('a private value is hidden', () => {
  it('in the prompt and the choices of an interrupt', async () => {
    await using setup = await startAgent(oneCall, { privateData: { token: CANARY } });
    const size = dependsOnInterrupt({ prompt: `For ${CANARY}?`, choices: ['S', `not ${CANARY}`] });
    setup.agent.toolify({ name: 't', description: 't', inject: { size } }, (args) => args.size);
    const run = setup.agent.stream('x');
    const events: unknown[] = [];
    for await (const event of run) {
      events.push(event);
      const { interrupt_id: id, choices } = event.payload;
      if (event.name === 'interrupt_required')
        await run.answer(String(id), Array.isArray(choices) && choices[1]);
    }
    const started = setup.bodies('/start-session')[0];
    expect(JSON.stringify([events, setup.orchestrator.requests.map(({ body }) => body)])).not.toContain(
      CANARY,
    );
    expect(started).toMatchObject({
      state: {
        tools: [
          {
            args_schema: {
              properties: { size: { prompt: 'For {_{token}_}?', choices: ['S', 'not {_{token}_}'] } },
            },
          },
        ],
      },
    });
    expect(setup.bodies('/resume')).toMatchObject([{ value: { result: 'not {_{token}_}' } }]);
  });

  it.each([
    ['a private one', '{_{role}_}', 'admin'],
    ['another one', 'user', 'user'],
  ])('in a choice, and the tool receives the choice that it offered: %s', async (_what, chosen, expected) => {
    const interruptService = { ask: async () => chosen };
    await using setup = await startAgent(oneCall, { privateData: { role: 'admin' }, interruptService });
    const given: unknown[] = [];
    const choices = ['user', 'admin'] as const;
    const role = dependsOnInterrupt({ prompt: 'As what?', choices });
    setup.agent.toolify({ name: 't', description: 't', inject: { role } }, async (args, { ask }) => {
      given.push(args.role, await ask({ name: 'more', prompt: 'And then?', choices }));
    });
    await setup.agent.invoke('x');
    expect(given).toEqual([expected, expected]);
  });

  it('in a choice that the orchestrator asks for, and the tool receives the choice that it offered', async () => {
    const interruptService = { ask: async () => '{_{role}_}' };
    await using setup = await startAgent(
      async (session) => {
        // The choices as they are in the start request.
        const choices = ['user', '{_{role}_}'];
        await session.ask({ dataKey: 'role', prompt: '?', tool_name: 't', input_type: 'choice', choices });
        await session.callTool('t');
        session.finish();
      },
      { privateData: { role: 'admin' }, interruptService },
    );
    const given: unknown[] = [];
    const role = dependsOnInterrupt({ prompt: 'As what?', choices: ['user', 'admin'] });
    setup.agent.toolify({ name: 't', description: 't', inject: { role } }, (args) => given.push(args.role));
    await setup.agent.invoke('x');
    expect(given).toEqual(['admin']);
    expect(setup.bodies('/start-session')).toMatchObject([
      { state: { tools: [{ args_schema: { properties: { role: { choices: ['user', '{_{role}_}'] } } } }] } },
    ]);
    expect(JSON.stringify(setup.orchestrator.requests.map(({ body }) => body))).not.toContain('admin');
  });

  it.each([
    ['text', CANARY, '{_{token}_}'],
    ['text', 'Oslo', 'Oslo'],
    ['number', 417, '{_{pin}_}'],
    ['number', 418, 418],
    ['password', 'typed-4711-canary', '{_{size}_}'],
  ])('in the answer to a question of the orchestrator (%s): %j', async (type, answer, sent) => {
    await using setup = await startAgent(
      async (session) => {
        await session.ask({ dataKey: 'size', prompt: '?', tool_name: 't', input_type: type });
        await session.callTool('t');
        session.finish();
      },
      { privateData: { token: CANARY, pin: 417 } },
    );
    const given: unknown[] = [];
    const size = dependsOnInterrupt({ prompt: '?', handler: () => answer });
    setup.agent.toolify({ name: 't', description: 't', inject: { size } }, (args) => given.push(args.size));
    await setup.agent.invoke('x');
    const answers = setup.orchestrator.requests.filter(({ body }) =>
      JSON.stringify(body ?? null).includes('interrupt_data"'),
    );
    expect(answers.map(({ body }) => body)).toEqual([{ interrupt_data: { size: sent } }]);
    expect(given).toEqual([answer]);
  });

  it('except in an answer chosen from choices of the orchestrator', async () => {
    await using setup = await startAgent(
      async (session) => {
        const choices = ['Oslo', 'Bergen'];
        const answer = await session.ask({ dataKey: 'city', prompt: '?', input_type: 'choice', choices });
        session.finish({ result: answer });
      },
      { privateData: { home: 'Oslo' }, interruptService: { ask: async () => 'Oslo' } },
    );
    expect((await setup.agent.invoke('x')).result).toBe('Oslo');
  });
});
