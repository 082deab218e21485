import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { dependsOnTool } from '../../src/decorators/depends-on.js';
import { configureLogging } from '../../src/logging/logger.js';
import { collect, startAgent } from '../agent-setup.js';

it('a call of an unknown tool is shown as failed, and says which tools are known', async () => {
  await using setup = await startAgent(async (session) => {
    const call = { tool_id: 'nope', args: { to: 'tok_9f31' } };
    for (const [id, tool_call] of Object.entries({ a: call, b: { ...call, tool_name: 'Nope' } })) {
      session.send('tool_event', { id, value: { tool_call } });
      await session.posted(id);
    }
    session.finish();
  });
  setup.agent.privateData = { token: 'tok_9f31' };
  setup.agent.toolify({ name: 'pay', description: 'Pays' }, () => 1);
  setup.agent.toolify({ name: 'refund', description: 'Refunds' }, () => 1);
  const events = await collect(setup.agent.stream('x'));
  const shown = events.filter(({ name }) => name === 'tool_event').map(({ payload }) => payload);
  expect(shown).toMatchObject(
    ['nope', 'Nope'].map((tool_name) => ({
      tool_name,
      status: 'failed',
      args: { to: '{_{token}_}' },
      error: `Unknown tool '${tool_name}'. Known tools: pay, refund.`,
    })),
  );
});

it.each([{ value: {} }, { id: '', value: {} }, { id: 7 }, null])(
  'an event without an id cannot be answered, and is logged: %j',
  async (payload) => {
    const lines: string[] = [];
    configureLogging({ level: 'info', sink: ({ message }) => lines.push(message) });
    onTestFinished(() => configureLogging({ level: 'silent' }));
    await using setup = await startAgent((session) => {
      session.send('tool_event', payload as never);
      session.finish({ responses: ['done'] });
    });
    expect(await setup.agent.invoke('x')).toMatchObject({ response: 'done' });
    expect(lines).toEqual(['Skipped a tool event without an id, which cannot be answered.']);
    expect(setup.bodies('/resume')).toEqual([]);
  },
);

it('a run fails with RUN_TOO_MANY_CALLS at a batch that exceeds the limit, and runs none of its calls', async () => {
  let ran = 0;
  await using setup = await startAgent(async (session) => {
    await session.callTool('count');
    await session.callTools(Array.from({ length: 10_000 }, () => ({ name: 'count' })));
  });
  setup.agent.toolify({ name: 'count', description: 'Counts' }, () => (ran += 1));
  await expect(setup.agent.invoke('go', { timeoutMs: 20_000 })).rejects.toMatchObject({
    code: 'RUN_TOO_MANY_CALLS',
    details: { max_calls: 10_000 },
  });
  expect(ran).toBe(1);
  await setup.agent.close();
  expect(setup.orchestrator.requests.at(-1)).toMatchObject({ method: 'DELETE' });
});

it('drops what a planner sends under the name of an injected argument before it is shown', async () => {
  const args = { note: 'rent', order: { total: 1 } };
  await using setup = await startAgent(async (session) =>
    session.finish({ result: await session.callTool('pay', args) }),
  );
  const order = setup.agent.toolify({ name: 'order', description: 'o' }, () => ({ total: 900 }));
  const input = z.object({ note: z.string() });
  const inject = { order: dependsOnTool(order) };
  setup.agent.toolify({ name: 'pay', description: 'p', input, inject }, () => 'paid');
  const events = await collect(setup.agent.stream('x'));
  const shown = events.map(({ payload }) => payload).filter(({ tool_name }) => tool_name === 'pay');
  expect(shown).toMatchObject(
    ['executing', 'completed'].map((status) => ({ status, args: { note: 'rent' } })),
  );
  expect(JSON.stringify(shown)).not.toContain('total');
});
