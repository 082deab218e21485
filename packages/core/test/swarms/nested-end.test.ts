import { expect, it } from 'vitest';
import '../agent-setup.js';
import { dependsOnAgent } from '../../src/decorators/depends-on.js';
import type { HookPayload } from '../../src/hooks/hook.js';
import type { AgentRun } from '../../src/session/agent-run.js';
import { Swarm } from '../../src/swarms/swarm.js';
import type { Script } from '../../src/testing/scripted-orchestrator.js';
import { memberOf, setUp } from './swarm-doubles.js';

it('a member session that fails ends the sessions its calls opened while the run continues', async () => {
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

it('a member still at work when its run finishes is cancelled before the swarm has closed', async () => {
  const opened = Promise.withResolvers<Parameters<Script>[0]>();
  await using setup = await setUp(async (session) => {
    if (memberOf(session)) return opened.resolve(session);
    void session.callTool('one', { prompt: 'p' });
    await opened.promise;
    // Waits until the member's stream is open.
    await expect
      .poll(() => setup.orchestrator.requests.filter(({ method }) => method === 'GET').length)
      .toBe(2);
    session.finish();
  });
  const swarm = new Swarm({ name: 's', agents: [setup.agent('one')] });
  await swarm.invoke('x');
  await swarm.close();
  const { signal } = await opened.promise;
  expect(signal.aborted).toBe(true);
});

it.each([
  ['is cancelled', async (run: AgentRun) => run.cancel()],
  ['is aborted', async (_run: AgentRun, abort: () => void) => abort()],
])(
  'when the run %s, the after-hooks of the swarm and its member receive RUN_CANCELLED',
  async (_how, end) => {
    await using setup = await setUp(async (session) => {
      await session.callTool(memberOf(session) ? 'hang' : 'one', { prompt: 'p' });
    });
    const ends: unknown[] = [];
    const note = ({ targetName, error }: HookPayload) => void ends.push([targetName, error?.code]);
    const options = { hookExecutionMode: 'scope', afterExecute: note } as const;
    const one = setup.agent('one', options);
    const reached = Promise.withResolvers<void>();
    one.toolify({ name: 'hang', description: 'Hangs' }, async () => {
      reached.resolve();
      await new Promise(() => {});
    });
    const swarm = new Swarm({ name: 's', agents: [one], ...options });
    const caller = new AbortController();
    const run = swarm.stream('x', { signal: caller.signal });
    const failure = run.response.catch((error: unknown) => error);
    await reached.promise;
    await end(run, () => caller.abort());
    await failure;
    await expect.poll(() => ends.length).toBe(2);
    expect(ends).toEqual(
      expect.arrayContaining([
        ['s', 'RUN_CANCELLED'],
        ['one', 'RUN_CANCELLED'],
      ]),
    );
  },
);

it('a run cancelled during a member’s before-hook opens no session for the member', async () => {
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
