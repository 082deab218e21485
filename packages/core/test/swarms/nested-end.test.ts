import { expect, it } from 'vitest';
import '../agent-setup.js';
import { dependsOnAgent } from '../../src/decorators/depends-on.js';
import { Swarm } from '../../src/swarms/swarm.js';
import type { Script } from '../../src/testing/scripted-orchestrator.js';
import { memberOf, setUp } from './swarm-doubles.js';

it('a session that fails takes with it what its calls opened, while the run goes on', async () => {
  const opened = Promise.withResolvers<Parameters<Script>[0]>();
  const seen = Promise.withResolvers<void>();
  await using setup = await setUp(async (session) => {
    if (memberOf(session) === 'deep') return opened.resolve(session);
    if (memberOf(session) === 'middle') {
      void session.callTool('ask');
      await opened.promise;
      return session.fail('middle broke');
    }
    const answer = await session.callTool('middle', { prompt: 'Ask' });
    await seen.promise;
    session.finish({ result: answer });
  });
  const middle = setup.agent('middle');
  const inject = { answer: dependsOnAgent(setup.agent('deep')) };
  middle.toolify({ name: 'ask', description: 'Asks', inject }, () => 1);
  const swarm = new Swarm({ name: 's', agents: [middle] });
  const run = swarm.invoke('x');
  const { signal } = await opened.promise;
  await expect.poll(() => signal.aborted).toBe(true);
  seen.resolve();
  expect((await run).result).toMatchObject({ status: 'error', error: { code: 'RUN_FAILED' } });
});

it('a run that is cancelled while a hook precedes an assignment opens no session for it', async () => {
  await using setup = await setUp(async (session) => {
    if (!memberOf(session)) await session.callTool('one', { prompt: 'p' });
  });
  const reached = Promise.withResolvers<void>();
  const forever = Promise.withResolvers<void>();
  const ends: unknown[] = [];
  const one = setup.agent('one', {
    hookExecutionMode: 'scope',
    beforeExecute: async () => {
      reached.resolve();
      await forever.promise;
    },
    afterExecute: ({ error }: { error?: { code: string } }) => void ends.push(error?.code),
  });
  const swarm = new Swarm({ name: 's', agents: [one] });
  const run = swarm.stream('x');
  const failure = run.response.catch((error: unknown) => error);
  await reached.promise;
  await run.cancel();
  expect(await failure).toMatchObject({ code: 'RUN_CANCELLED' });
  await swarm.close();
  expect(setup.orchestrator.sessions.size).toBe(1);
  await expect.poll(() => ends).toEqual(['RUN_CANCELLED']);
});
