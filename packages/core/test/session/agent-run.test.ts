import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AgentRun, type OwnedByRun, type RunWork } from '../../src/session/agent-run.js';
import { createEmptyResponse } from '../../src/session/invoke-response.js';
import { RunRegistry } from '../../src/session/run-registry.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts a run that executes until its signal aborts; the orchestrator accepts a cancel and sends nothing more. */
function startRun(work: Partial<RunWork<unknown>> = {}, sessions: readonly string[] = []) {
  const registry = new RunRegistry<AgentRun>();
  const untilAborted = async ({ signal, openSessions }: OwnedByRun) => {
    for (const id of sessions) openSessions.add(id);
    return new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
  };
  const run = new AgentRun({
    id: 'run-1',
    signal: undefined,
    timeoutMs: 60_000,
    registry,
    execute: untilAborted,
    cancelSession: async () => {},
    cleanReason: (reason) => reason,
    ...work,
  });
  const ended = run.response.then(
    () => 'completed',
    (error: unknown) => error,
  );
  return { run, registry, ended };
}

it('a cancelled run ends after a grace period if the orchestrator sends nothing more', async () => {
  const cancelled: unknown[] = [];
  const cancelSession = async (...args: unknown[]) => void cancelled.push(args);
  const { run, ended } = startRun({ cancelSession }, ['s-1', 's-2']);
  let isOver = false;
  const cancelling = run.cancel('enough').then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(4_999);
  expect([cancelled, isOver]).toEqual([
    [
      ['s-1', 'enough'],
      ['s-2', 'enough'],
    ],
    false,
  ]);
  await vi.advanceTimersByTimeAsync(1);
  await cancelling;
  expect(await ended).toMatchObject({ code: 'RUN_CANCELLED', message: expect.stringContaining('enough') });
  const events = [];
  for await (const event of run) events.push(event);
  expect(events).toMatchObject([{ name: 'final', payload: { status: 'cancelled', error: 'enough' } }]);
});

it('a cancelled run without a session ends immediately', async () => {
  const { run, ended } = startRun();
  await run.cancel();
  expect(await ended).toMatchObject({ code: 'RUN_CANCELLED', response: { status: 'cancelled' } });
});

it.each([
  ['without a text', Object.create(null)],
  ['that cannot be searched', 'unsearchable'],
])('a run is cancelled for a reason %s too, and does not show it', async (_, reason) => {
  const cleanReason = () => {
    throw new TypeError('A private value cannot be read.');
  };
  const { run, ended } = startRun({ cleanReason });
  await run.cancel(reason);
  expect(await ended).toMatchObject({ code: 'RUN_CANCELLED', message: 'The run was cancelled.' });
});

it('a run that is cancelled before it starts never executes', async () => {
  let works = 0;
  const execute = async () => {
    works += 1;
    return createEmptyResponse('completed', { code: '', message: '' });
  };
  const registry = new RunRegistry<AgentRun>();
  const run = new AgentRun({
    id: 'r',
    signal: undefined,
    timeoutMs: 1,
    registry,
    execute,
    cancelSession: async () => {},
    cleanReason: (reason) => reason,
  });
  await run.cancel();
  await expect(run.response).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  expect(works).toBe(0);
});

it.each(['a success', 'a failure', 'a timeout', 'a cancel'])(
  'a run leaves no timer, listener or registry entry after %s',
  async (how) => {
    const { signal } = new AbortController();
    const execute: Partial<RunWork<unknown>> =
      how === 'a success'
        ? { execute: async () => createEmptyResponse('completed', { code: '', message: '' }) }
        : how === 'a failure'
          ? { execute: async () => Promise.reject(new Error('broke')) }
          : {};
    const { run, registry, ended } = startRun({ signal, ...execute });
    if (how === 'a timeout') await vi.advanceTimersByTimeAsync(60_000);
    if (how === 'a cancel') await run.cancel();
    await ended;
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(registry.size).toBe(0);
  },
);
