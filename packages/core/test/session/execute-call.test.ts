import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import { dependsOnAgent, dependsOnInterrupt, dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { RedactedMessage } from '../../src/messages/message.js';
import { memoryReceiptStore } from '../../src/tools/receipts/receipts.js';
import type { StreamEvent } from '../../src/compile/stream-event.js';
import { collect, startAgent } from '../agent-setup.js';
import { quickRuntime } from '../quick-runtime.js';

describe('the arguments of a call', () => {
  it('keep placeholders when passed to an agent, even for values too short to be found in text', async () => {
    await using setup = await startAgent(async (session) => {
      const [{ content } = { content: '' }] = session.state.messages;
      if (!String(content).startsWith('Look')) {
        await session.callTool('helper', { prompt: `Look up the customer: ${String(content)}` });
      }
      session.finish();
    });
    const client = setup.orchestrator.client();
    const helper = new Agent({ name: 'helper', description: 'Helps', client });
    setup.agent.toolify(
      { name: 'report', description: 'Report', inject: { notes: dependsOnAgent(helper) } },
      () => 1,
    );
    await setup.agent.invoke(new RedactedMessage('Bob', { knownPiiValues: ['Bob'] }));
    const starts = setup.bodies('/start-session').map((body) => JSON.stringify(body));
    expect(starts).toHaveLength(2);
    expect(starts[1]).toMatch(/Look up the customer: \{_\{/);
    expect(starts[1]).not.toMatch(/Bob/);
  });

  it('cannot replace an injected argument, however loose the input schema is', async () => {
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('pay', { note: 'x', token: 'chosen by the planner' });
        session.finish();
      },
      { privateData: { card_token: 'tok_9f31-secret' } },
    );
    const seen: unknown[] = [];
    setup.agent.toolify(
      {
        name: 'pay',
        description: 'Pay',
        input: z.looseObject({}),
        inject: { token: dependsOnPrivateData('card_token') },
      },
      (args) => seen.push(args),
    );
    await setup.agent.invoke('x');
    expect(seen).toEqual([{ note: 'x', token: 'tok_9f31-secret' }]);
  });
});

it('the prompt of an interrupt handler contains no private values', async () => {
  await using setup = await startAgent(
    async (session) => {
      await session.callTool('pay');
      session.finish();
    },
    { privateData: { card_token: 'tok_9f31-secret' } },
  );
  const prompts: string[] = [];
  const ok = dependsOnInterrupt({
    prompt: () => 'Pay with tok_9f31-secret?',
    handler: ({ prompt }) => {
      prompts.push(prompt);
      return 'yes';
    },
  });
  setup.agent.toolify({ name: 'pay', description: 'Pay', inject: { ok } }, () => 1);
  await setup.agent.invoke('x');
  expect(prompts).toEqual(['Pay with {_{card_token}_}?']);
});

it('a call that is waiting for its turn does not begin once the run is cancelled', async () => {
  const receipts = memoryReceiptStore();
  await using setup = await startAgent(
    async (session) => {
      await Promise.all([session.callTool('pay', {}, 'ev-1'), session.callTool('pay', {}, 'ev-2')]);
    },
    { receipts, maxParallelTools: 1 },
  );
  setup.agent.toolify(
    { name: 'pay', description: 'Pay', permissions: ['write'] },
    async (_args, { signal }) => {
      void run.cancel();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  );
  const run = setup.agent.stream('x');
  await expect(run.response).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  expect(await receipts.find('session-1:ev-1')).toEqual({ state: 'begun' });
  expect(await receipts.find('session-1:ev-2')).toBeUndefined();
});

it('a call that times out makes room for the next one, even if its tool ignores the signal', async () => {
  await using setup = await startAgent(
    async (session) => {
      const calls = session.callTools([{ name: 'hangs' }, { name: 'works' }]);
      session.finish({ result: await calls });
    },
    { maxParallelTools: 1 },
  );
  const forever = Promise.withResolvers<void>();
  setup.agent.toolify({ name: 'hangs', description: 'Hangs', timeoutMs: 20 }, () => forever.promise);
  setup.agent.toolify({ name: 'works', description: 'Works' }, () => 'done');
  await expect(setup.agent.invoke('x')).resolves.toMatchObject({
    result: [{ error: { code: 'TOOL_TIMEOUT' } }, 'done'],
  });
});

it('events of a call and of its hooks contain how long each took', async () => {
  let nowMs = 1_000_000;
  const take = (durationMs: number) => void (nowMs += durationMs);
  await using setup = await startAgent(
    async (session) => {
      await session.callTool('pay');
      session.finish();
    },
    {},
    { ports: { runtime: { ...quickRuntime(), monotonicMs: () => nowMs } } },
  );
  setup.agent.toolify({ name: 'pay', description: 'Pay', beforeExecute: () => take(100) }, () => take(250));
  const events = await collect(setup.agent.stream('x'));
  const elapsedOf = ({ name, payload }: StreamEvent) => [
    name,
    payload['elapsed_ms'] ?? Object(payload['tool']).elapsed_ms,
  ];
  expect(events.map(elapsedOf)).toEqual([
    ['tool_event', undefined],
    ['hook_fired', 100],
    ['tool_event', 350],
    ['final', undefined],
  ]);
});
