import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { Agent, dependsOnInterrupt, dependsOnTool } from '../src/index.js';
import { cron, every } from '../src/scheduling.js';
import { startScriptedOrchestrator } from '../src/testing.js';
import { startAtNoon, takeMs } from './scheduling/scheduled-work.js';

const callers = new AsyncLocalStorage<string>();

/** An agent whose parts note in whose context they run. */
async function startNotingAgent() {
  const orchestrator = await startScriptedOrchestrator(async (session) => {
    await session.callTools([{ name: 'charge', args: { amount: 1 } }]);
    session.finish({ responses: ['done'] });
  });
  const client = orchestrator.client();
  const seen: Record<string, string | undefined> = {};
  const note = (part: string) => {
    seen[part] = callers.getStore() ?? 'nobody';
  };
  const agent = new Agent({
    name: 'billing',
    client,
    beforeExecute: () => note('agent hook'),
  });
  const fetchOrder = agent.toolify({ name: 'fetch_order', description: 'Fetch the order' }, () => {
    note('producer');
    return 1;
  });
  agent.toolify(
    {
      name: 'charge',
      description: 'Charge the card',
      input: z.object({
        amount: z.number().refine(() => {
          note('schema');
          return true;
        }),
      }),
      beforeExecute: () => note('before hook'),
      afterExecute: () => note('after hook'),
      inject: {
        order: dependsOnTool(fetchOrder),
        approved: dependsOnInterrupt({
          prompt: 'Charge the card?',
          inputType: 'boolean',
          handler: () => {
            note('question');
            return true;
          },
        }),
      },
    },
    async (_args, { reportProgress }) => {
      await reportProgress({ progress: 1 });
      note('tool');
      return 'charged';
    },
  );
  const close = async () => {
    await agent.close();
    await client.close();
    await orchestrator.close();
  };
  return { agent, seen, [Symbol.asyncDispose]: close };
}

const everywhere = (caller: string) =>
  Object.fromEntries(
    ['agent hook', 'producer', 'schema', 'before hook', 'after hook', 'question', 'tool'].map((part) => [
      part,
      caller,
    ]),
  );

it('everything of a run that is invoked runs in the context of the caller', async () => {
  await using started = await startNotingAgent();
  await callers.run('caller', () => started.agent.invoke('Charge the card'));
  expect(started.seen).toEqual(everywhere('caller'));
});

it('everything of a run that is streamed runs in the context of its loop', async () => {
  await using started = await startNotingAgent();
  const run = callers.run('creator', () => started.agent.stream('Charge the card'));
  await callers.run('reader', async () => {
    for await (const _event of run) expect(callers.getStore()).toBe('reader');
  });
  expect(started.seen).toEqual(everywhere('reader'));
});

it('a scheduled fire runs in no context, and a triggered one in that of its caller', async () => {
  const seen: (string | undefined)[] = [];
  const job = callers.run('creator', () => every(5).run(() => void seen.push(callers.getStore())));
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  await job.stop();
  expect(seen[0]).toBeUndefined();

  const triggered = callers.run('creator', () => every(3_600_000).run(() => callers.getStore()));
  const { result } = await callers.run('caller', () => triggered.trigger());
  await triggered.stop();
  expect(result).toBe('caller');
});

it('a scheduled fire that is due when its job is created runs in no context', async () => {
  const clock = startAtNoon('2026-01-01T11:59:55Z');
  const seen: string[] = [];
  const early = cron('0 12 * * *').withJitter({ minMs: -40_000, maxMs: -40_000 }).withClock(clock);
  callers.run('creator', () => early.run(() => void seen.push(callers.getStore() ?? 'nobody')));
  await clock.advance(1_000);
  expect(seen).toEqual(['nobody']);
});

it('a fire that waited for another one does not run in the context of that one', async () => {
  const clock = startAtNoon();
  const seen: string[] = [];
  const { work } = takeMs(clock, 150);
  const job = every(200)
    .withOverlap('queue')
    .withClock(clock)
    .run(async (fire) => {
      seen.push(callers.getStore() ?? 'nobody');
      await work(fire);
    });
  await clock.advance(250);
  void callers.run('caller', () => job.trigger());
  await clock.advance(300);
  expect(seen).toEqual(['nobody', 'caller', 'nobody']);
});
