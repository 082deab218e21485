import { afterEach, describe, expect, it } from 'vitest';
import { configureLogging } from '../../../src/logging/logger.js';
import { MemoryScheduleStore } from '../../../src/scheduling/store/memory-schedule-store.js';
import type { RetryOptions } from '../../../src/scheduling/policy/retry.js';
import type { ScheduleStore } from '../../../src/scheduling/store/schedule-store.js';
import { cron, every } from '../../../src/scheduling/schedules.js';
import { startAtNoon, statusesOf, storedStatusesOf, takeMs } from '../scheduled-work.js';

afterEach(() => configureLogging());

/** Starts a job that begins a fire at 12:01:00 and then stops responding: its clock does not move again. */
async function dieInFire(store: ScheduleStore): Promise<void> {
  const clock = startAtNoon();
  every(60_000).withName('digest').withStore(store).withClock(clock).run(takeMs(clock, 3_600_000).work);
  await clock.advance(60_000);
}

describe('a fire whose process died', () => {
  it.each<[string, RetryOptions, string[], number]>([
    ['is recorded as interrupted and not run again', {}, ['interrupted'], 0],
    [
      'is run again with retryInterrupted',
      { retryInterrupted: true, maxAttempts: 2 },
      ['interrupted', 'succeeded'],
      1,
    ],
    [
      'is not run again without retryInterrupted, even if attempts are left',
      { maxAttempts: 3 },
      ['interrupted'],
      0,
    ],
    ['is not run again if no attempts are left', { retryInterrupted: true }, ['interrupted'], 0],
  ])('%s', async (_what, retry, expected, reruns) => {
    const store = new MemoryScheduleStore();
    await dieInFire(store);
    const clock = startAtNoon('2026-01-01T12:01:10Z');
    const attempts: [string, number][] = [];
    const job = every(60_000)
      .withName('digest')
      .withStore(store)
      .withRetry(retry)
      .withClock(clock)
      .run(({ fireId, attempt }) => void attempts.push([fireId, attempt]));
    await clock.advance(20_000);
    expect(job.history).toEqual([]);
    await clock.advance(1);
    expect(statusesOf(job)).toEqual(expected);
    expect(job.counters).toMatchObject({ interrupted: 1, runs: 0, succeeded: reruns });
    await clock.advance(9_999);
    expect(attempts).toEqual(Array.from({ length: reruns }, () => [job.history[0]?.fireId, 2]));
    await clock.advance(20_000);
    expect(job.counters.succeeded).toBe(reruns + 1);
  });

  it('is reported to onError', async () => {
    const store = new MemoryScheduleStore();
    await dieInFire(store);
    const clock = startAtNoon('2026-01-01T12:01:10Z');
    const reports: string[] = [];
    every(60_000)
      .withName('digest')
      .withStore(store)
      .withCallbacks({ onError: ({ status, reason }) => void reports.push(`${status}: ${reason}`) })
      .withClock(clock)
      .run(() => {});
    await clock.advance(30_000);
    expect(reports).toEqual(['interrupted: its process stopped responding']);
  });

  it('is stopped if its process resumes, and counts as interrupted there too', async () => {
    configureLogging({ level: 'silent' });
    const store = new MemoryScheduleStore();
    const stalled = startAtNoon();
    const slow = takeMs(stalled, 3_600_000);
    const first = every(60_000).withName('digest').withStore(store).withClock(stalled).run(slow.work);
    await stalled.advance(60_000);
    const clock = startAtNoon('2026-01-01T12:01:31Z');
    const second = every(60_000)
      .withName('digest')
      .withStore(store)
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(0);
    expect(statusesOf(second)).toEqual(['interrupted']);
    await stalled.advance(50_000);
    expect(statusesOf(first)).toEqual(['interrupted']);
    expect(await storedStatusesOf(store)).toEqual(['interrupted']);
  });

  it('is aborted with SCHEDULE_LEASE_LOST in its old process after another one has taken it over', async () => {
    const store = new MemoryScheduleStore();
    const builder = every(60_000)
      .withName('digest')
      .withStore(store)
      .withRetry({ maxAttempts: 2, retryInterrupted: true });
    const stalled = startAtNoon();
    const reasons: unknown[] = [];
    builder.withClock(stalled).run(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reasons.push(signal.reason);
    });
    await stalled.advance(60_000);
    const clock = startAtNoon('2026-01-01T12:01:31Z');
    const { begun, work } = takeMs(clock, 300_000);
    builder.withClock(clock).run(work);
    await clock.advance(0);
    expect(begun).toEqual(['01:31']);
    await stalled.advance(50_000);
    expect(reasons).toMatchObject([{ code: 'SCHEDULE_LEASE_LOST' }]);
  });

  it('keeps a job active until its lease expires, even if nothing else is left to fire', async () => {
    const store = new MemoryScheduleStore();
    const builder = every(60_000).withName('digest').withMaxRuns(1).withStore(store);
    const dead = startAtNoon();
    builder.withClock(dead).run(takeMs(dead, 3_600_000).work);
    await dead.advance(60_000);
    const clock = startAtNoon('2026-01-01T12:01:10Z');
    const job = builder.withClock(clock).run(() => 'ran');
    await clock.advance(1_000);
    expect(job.status).toBe('active');
    await clock.advance(30_000);
    expect([job.status, ...statusesOf(job)]).toEqual(['finished', 'interrupted']);
  });

  it('is not recorded by a job that was stopped while it was loading the ledger', async () => {
    const gate = Promise.withResolvers<void>();
    let isGated = false;
    class GatedStore extends MemoryScheduleStore {
      override async load(...name: Parameters<MemoryScheduleStore['load']>) {
        if (isGated) await gate.promise;
        return super.load(...name);
      }
    }
    const store = new GatedStore();
    await dieInFire(store);
    const clock = startAtNoon('2026-01-01T12:01:10Z');
    const job = every(60_000)
      .withName('digest')
      .withStore(store)
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(10_000);
    isGated = true;
    const stopping = job.stop();
    await clock.advance(15_000);
    gate.resolve();
    await stopping;
    await clock.advance(1_000);
    expect(await storedStatusesOf(store)).toEqual([]);
  });

  it('is not retried by its old process if that froze while it waited for the next attempt', async () => {
    const store = new MemoryScheduleStore();
    const builder = every(60_000).withName('digest').withStore(store);
    const stalled = startAtNoon();
    const attempts: number[] = [];
    const first = builder
      .withRetry({ maxAttempts: 3, backoff: 'constant', baseMs: 5_000 })
      .withClock(stalled)
      .run(({ attempt }) => {
        attempts.push(attempt);
        throw new Error('no paper');
      });
    await stalled.advance(60_000);
    const clock = startAtNoon('2026-01-01T12:01:31Z');
    const second = builder.withClock(clock).run(() => 'ran');
    await clock.advance(0);
    expect(statusesOf(second)).toEqual(['interrupted']);
    await stalled.leap(31_000);
    expect(attempts).toEqual([1]);
    expect(statusesOf(first)).toEqual(['interrupted']);
    expect(await storedStatusesOf(store)).toEqual(['interrupted']);
  });

  it('resolves its trigger with its outcome, even if another process ended it', async () => {
    const store = new MemoryScheduleStore();
    const builder = cron('0 0 1 1 *').withName('digest').withStore(store).withOverlap('queue');
    const stalled = startAtNoon();
    const first = builder.withClock(stalled).run(takeMs(stalled, 600_000).work);
    const runs = [first.trigger(), first.trigger()];
    await stalled.advance(0);
    const clock = startAtNoon('2026-01-01T12:00:31Z');
    builder.withClock(clock).run(() => 'ran');
    await clock.advance(0);
    expect(await storedStatusesOf(store)).toEqual(['interrupted', 'succeeded']);
    await stalled.leap(31_000);
    expect(await Promise.all(runs)).toMatchObject([{ status: 'interrupted' }, { status: 'succeeded' }]);
  });

  it('resolves its trigger when the job stops, even if another process still runs it', async () => {
    const store = new MemoryScheduleStore();
    const builder = cron('0 0 1 1 *').withName('digest').withStore(store).withOverlap('queue');
    const stalled = startAtNoon();
    const first = builder.withClock(stalled).run(takeMs(stalled, 600_000).work);
    const runs = [first.trigger(), first.trigger()];
    await stalled.advance(0);
    const clock = startAtNoon('2026-01-01T12:00:31Z');
    builder.withClock(clock).run(takeMs(clock, 3_600_000).work);
    await clock.advance(0);
    await stalled.leap(31_000);
    const stopped = first.stop();
    await stalled.advance(600_000);
    await stopped;
    expect(await Promise.all(runs)).toMatchObject([
      { status: 'interrupted' },
      { status: 'interrupted', reason: 'the job was stopped here before the fire ended elsewhere' },
    ]);
    expect(first.counters).toMatchObject({ runs: 1, interrupted: 1 });
  });

  it('is reported to the callbacks before finished resolves, if another process ended it', async () => {
    const store = new MemoryScheduleStore();
    const builder = cron('0 0 1 1 *').withName('digest').withStore(store).withOverlap('queue');
    const stalled = startAtNoon();
    const order: string[] = [];
    const first = builder
      .withClock(stalled)
      .withCallbacks({ onSuccess: () => void order.push('succeeded') })
      .run(takeMs(stalled, 600_000).work);
    const runs = [first.trigger(), first.trigger()];
    void first.finished.then(() => order.push('over'));
    await stalled.advance(0);
    const clock = startAtNoon('2026-01-01T12:00:31Z');
    builder.withClock(clock).run(() => 'ran');
    await clock.advance(0);
    const read = store.history.bind(store);
    const isRead = Promise.withResolvers<void>();
    store.history = async (...given) => isRead.promise.then(async () => read(...given));
    const stopped = first.stop();
    await stalled.advance(600_000);
    isRead.resolve();
    await stopped;
    await Promise.all(runs);
    expect(order).toEqual(['succeeded', 'over']);
  });

  it('is looked up once if it ended elsewhere, even if more happens before the store has answered', async () => {
    const store = new MemoryScheduleStore();
    const builder = cron('0 0 1 1 *').withName('digest').withStore(store).withOverlap('queue');
    const stalled = startAtNoon();
    const first = builder.withClock(stalled).run(takeMs(stalled, 600_000).work);
    const runs = [first.trigger(), first.trigger()];
    await stalled.advance(0);
    const clock = startAtNoon('2026-01-01T12:00:31Z');
    builder.withClock(clock).run(() => 'ran');
    await clock.advance(0);
    const read = store.history.bind(store);
    const isRead = Promise.withResolvers<void>();
    store.history = async (...given) => isRead.promise.then(async () => read(...given));
    await stalled.leap(31_000);
    const another = first.trigger();
    await stalled.advance(1_000);
    isRead.resolve();
    await stalled.advance(600_000);
    await Promise.all([...runs, another]);
    expect(first.counters).toMatchObject({ interrupted: 1, succeeded: 2 });
  });

  it('is left to other processes by a job that is stopping', async () => {
    const store = new MemoryScheduleStore();
    await dieInFire(store);
    const clock = startAtNoon('2026-01-01T12:01:10Z');
    const { begun, work } = takeMs(clock, 60_000);
    const builder = every(3_600_000)
      .withName('digest')
      .withStore(store)
      .withOverlap({ maxOverlap: 0 })
      .withRetry({ maxAttempts: 2, retryInterrupted: true })
      .withClock(clock);
    const job = builder.run(work);
    void job.trigger();
    await clock.advance(0);
    const stopped = job.stop();
    await clock.advance(60_000);
    await stopped;
    expect(begun).toEqual(['01:10']);
    expect(await storedStatusesOf(store)).toEqual(['succeeded']);
    builder.run(work);
    await clock.advance(0);
    expect(begun).toEqual(['01:10', '02:10']);
  });
});

it('a fire is not taken over from a process that renews its lease', async () => {
  const store = new MemoryScheduleStore();
  const clock = startAtNoon();
  const { work } = takeMs(clock, 300_000);
  const builder = cron('1 12 * * *').withName('digest').withStore(store, { leaseMs: 3_000 }).withClock(clock);
  const jobs = [builder.run(work), builder.run(work)];
  await clock.advance(600_000);
  expect(await storedStatusesOf(store)).toEqual(['succeeded']);
  expect(jobs.map(({ counters }) => counters.interrupted)).toEqual([0, 0]);
});
