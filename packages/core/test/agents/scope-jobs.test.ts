import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import { configureLogging, type InvokeResponse } from '../../src/index.js';
import { ManualClock } from '../../src/scheduling/clock/manual-clock.js';
import { listJobs } from '../../src/scheduling/job/job-registry.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { startAgent } from '../agent-setup.js';

/** Advances the clock to a moment, then waits until `isOver` returns true. */
async function advanceUntil(clock: ManualClock, moment: string, isOver: () => boolean): Promise<void> {
  await clock.advanceTo(moment);
  await expect.poll(isOver).toBe(true);
}

describe('an agent with a schedule', () => {
  it('is invoked at the scheduled time with the given messages and options', async () => {
    await using setup = await startAgent(async (session) => session.finish({ responses: ['Good morning.'] }));
    const clock = new ManualClock('2026-01-01T08:59:30Z');
    const job = setup.agent
      .cron('0 9 * * *', { timezone: 'Europe/Berlin' })
      .withClock(clock)
      .invoke('Write the digest', { metadata: { edition: 'morning' } });
    expect(job.upcoming(1)).toEqual([new Date('2026-01-02T08:00:00Z')]);
    await advanceUntil(clock, '2026-01-02T08:00:00Z', () => job.counters.succeeded === 1);
    expectTypeOf(job.history[0]?.result).toEqualTypeOf<InvokeResponse | undefined>();
    expect(job.history[0]?.result?.response).toBe('Good morning.');
    expect(JSON.stringify(setup.bodies('/start-session'))).toContain('"edition":"morning"');
  });

  it('runs at an interval, or once', async () => {
    await using setup = await startAgent(async (session) => session.finish({ responses: ['ok'] }));
    const clock = new ManualClock('2026-01-01T09:00:00Z');
    const often = setup.agent.every(60_000).withClock(clock).invoke('look');
    const once = setup.agent.at(new Date('2026-01-01T09:00:30Z')).withClock(clock).invoke('look');
    await advanceUntil(clock, '2026-01-01T09:00:30Z', () => once.status === 'finished');
    await advanceUntil(clock, '2026-01-01T09:01:00Z', () => often.counters.succeeded === 1);
    expect(once.counters.succeeded).toBe(1);
  });

  it('records a failed run in the job’s history without a retry', async () => {
    await using setup = await startAgent(async (session) =>
      session.finish({ status: 'failed', error: 'it broke', responses: [] }),
    );
    const clock = new ManualClock();
    const job = setup.agent.every(60_000).withClock(clock).invoke('look');
    await advanceUntil(clock, '1970-01-01T00:01:00Z', () => job.counters.failed === 1);
    expect(job.history[0]).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: { message: expect.stringContaining('it broke') },
    });
  });

  it('stops its jobs and cancels their runs when it is closed', async () => {
    const started = Promise.withResolvers<void>();
    await using setup = await startAgent(async (session) => {
      await session.callTool('wait', {}, 'ev-1');
    });
    setup.agent.toolify({ name: 'wait', description: 'Wait' }, async (_args, { signal }) => {
      started.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const clock = new ManualClock();
    const job = setup.agent.every(60_000).withClock(clock).invoke('look');
    await clock.advance(60_000);
    await started.promise;
    expect(listJobs()).toContain(job);
    await setup.agent.close();
    expect(job.status).toBe('stopped');
    expect(job.history).toMatchObject([{ status: 'cancelled' }]);
    expect(listJobs()).not.toContain(job);
  });

  it('waits at most 30 seconds for a job when it is closed, then logs the job’s name', async () => {
    await using setup = await startAgent(async (session) => session.finish({ responses: ['ok'] }));
    const lines: unknown[] = [];
    configureLogging({ sink: (record) => void lines.push(record) });
    onTestFinished(() => configureLogging());
    const clock = new ManualClock();
    const never = Promise.withResolvers<void>();
    const digest = setup.agent.every(60_000).withName('digest').withClock(clock);
    const job = digest.withCallbacks({ onSuccess: async () => never.promise }).invoke('look');
    await advanceUntil(clock, '1970-01-01T00:01:00Z', () => job.counters.succeeded === 1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const closing = setup.agent.close();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(lines).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await closing;
    expect(lines).toMatchObject([{ level: 'warn', fields: { job: 'digest' } }]);
    never.resolve();
    await job.finished;
  });

  it('starts no job once it is closed, even from a schedule created before', async () => {
    await using setup = await startAgent(async (session) => session.finish());
    const schedule = setup.agent.every(60_000).withClock(new ManualClock());
    const closing = setup.agent.close();
    const refusal = expect.objectContaining({ code: 'RUN_SCOPE_CLOSED' });
    expect(() => schedule.invoke('look')).toThrow(refusal);
    await expect(setup.agent.invoke('look')).rejects.toEqual(refusal);
    await closing;
    expect(() => schedule.invoke('look')).toThrow(refusal);
    await expect.poll(listJobs).toEqual([]);
  });

  it.each<[string, unknown[], string]>([
    ['empty messages', [[]], 'CONFIG_INVALID_MESSAGES'],
    ['missing messages', [], 'CONFIG_INVALID_MESSAGES'],
    ['an unknown option', ['look', { metadat: {} }], 'CONFIG_INVALID_OPTION'],
    ['invalid private data', ['look', { privateData: new Map() }], 'CONFIG_INVALID_OPTION'],
  ])('refuses %s before anything is scheduled', async (_what, input, code) => {
    await using setup = await startAgent(async (session) => session.finish());
    const schedule = setup.agent.every(60_000).withClock(new ManualClock());
    const invoke = (...given: unknown[]) => Reflect.apply(schedule.invoke.bind(schedule), undefined, given);
    expect(() => invoke(...input)).toThrow(expect.objectContaining({ code }));
    expect(listJobs()).toEqual([]);
  });

  it('records a failed run when the signal passed to it aborts', async () => {
    await using setup = await startAgent(async (session) => {
      await session.callTool('wait', {}, 'ev-1');
    });
    const stop = new AbortController();
    setup.agent.toolify({ name: 'wait', description: 'Wait' }, () => stop.abort(new Error('enough')));
    const clock = new ManualClock();
    const job = setup.agent.every(60_000).withClock(clock).invoke('look', { signal: stop.signal });
    await advanceUntil(clock, '1970-01-01T00:01:00Z', () => job.counters.failed === 1);
  });

  it('leaves no listener or reference of a finished run in a long-lived signal', async () => {
    await using setup = await startAgent(async (session) => session.finish({ responses: ['ok'] }));
    const { signal } = new AbortController();
    const clock = new ManualClock();
    const job = setup.agent.every(60_000).withClock(clock).invoke('look', { signal });
    await advanceUntil(clock, '1970-01-01T00:01:00Z', () => job.counters.succeeded === 1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    // A signal keeps references to those that AbortSignal.any derived from it, for as long as it lives.
    const notes = Object.getOwnPropertySymbols(signal).map((key) => inspect(Reflect.get(signal, key)));
    expect(notes.join()).not.toContain('WeakRef');
  });
});

it('a swarm can be scheduled too', () => {
  const swarm = new Swarm({ name: 'desk' });
  expect(swarm.every(60_000).upcoming(1)).toHaveLength(1);
});
