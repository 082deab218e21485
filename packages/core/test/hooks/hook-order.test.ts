import { expect, it } from 'vitest';
import type { Hook, HookExecutionMode } from '../../src/hooks/hook.js';
import { runHooks } from '../../src/hooks/run-hooks.js';
import { systemRuntime } from '../../src/runtime.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { startAgent } from '../agent-setup.js';

it.each<HookExecutionMode>(['tool', 'scope'])(
  'before-hooks run in order and after-hooks in reverse order, in mode %s',
  async (hookExecutionMode) => {
    const trace: string[] = [];
    const note =
      (mark: string): Hook =>
      () =>
        void trace.push(mark);
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('t');
        session.finish();
      },
      {
        hookExecutionMode,
        beforeExecute: [note('1+'), note('2+')],
        afterExecute: [note('1-'), note('2-')],
      },
    );
    setup.agent.toolify({ name: 't', description: 't' }, () => void trace.push('run'));
    await setup.agent.invoke('x');
    expect(trace).toEqual(['1+', '2+', 'run', '2-', '1-']);
  },
);

it('after-hooks also run from the inside out after a failed call', async () => {
  const trace: string[] = [];
  const note =
    (mark: string): Hook =>
    () =>
      void trace.push(mark);
  await using setup = await startAgent(
    async (session) => {
      await session.callTool('t');
      session.finish();
    },
    { afterExecute: note('agent') },
  );
  setup.agent.toolify({ name: 't', description: 't', afterExecute: note('tool') }, () => {
    throw new Error('no');
  });
  await setup.agent.invoke('x');
  expect(trace).toEqual(['tool', 'agent']);
});

it('a before-hook skipped because the run was aborted is not reported', async () => {
  const controller = new AbortController();
  const reported: string[] = [];
  await runHooks({
    hooks: { before: [() => controller.abort(), function next() {}], after: [] },
    payload: Object.assign(Object.create(null), { stage: 'before', signal: controller.signal }),
    runtime: systemRuntime,
    report: ({ name }) => void reported.push(name),
  });
  expect(reported).toEqual(['anonymous']);
});

it('changing the array of hooks later has no effect', async () => {
  const trace: string[] = [];
  const hooks: Hook[] = [() => void trace.push('given')];
  await using setup = await startAgent((session) => session.finish(), {
    hookExecutionMode: 'scope',
    beforeExecute: hooks,
  });
  hooks.push(() => void trace.push('later'));
  await setup.agent.invoke('x');
  expect(trace).toEqual(['given']);
});

it('an after-hook receives what ended the run: a timeout or a cancellation', async () => {
  const codes: unknown[] = [];
  const controller = new AbortController();
  const end = (session: ScriptedSession) => {
    if (session.state.messages[0]?.content === 'end') controller.abort(new Error('enough'));
  };
  await using setup = await startAgent(end, {
    hookExecutionMode: 'scope',
    afterExecute: ({ error }) => void codes.push(error?.code),
  });
  await expect(setup.agent.invoke('x', { timeoutMs: 50 })).rejects.toThrow();
  await expect(setup.agent.invoke('end', { signal: controller.signal })).rejects.toThrow();
  expect(codes).toEqual(['RUN_TIMEOUT', 'RUN_CANCELLED']);
});
