import { afterEach, describe, expect, it } from 'vitest';
import { configureLogging } from '../../../src/logging/logger.js';
import { ManualClock } from '../../../src/scheduling/clock/manual-clock.js';
import type { ScheduledJob } from '../../../src/scheduling/job/job.js';
import { MemoryScheduleStore } from '../../../src/scheduling/store/memory-schedule-store.js';
import type { LedgerChange } from '../../../src/scheduling/store/schedule-store.js';
import { cron, every } from '../../../src/scheduling/schedules.js';
import { startAtNoon, statusesOf, storedStatusesOf, takeMs, timeOf } from '../scheduled-work.js';

afterEach(() => configureLogging());

describe('two jobs that share a store', () => {
  it('run each fire once in total', async () => {
    const clock = startAtNoon();
    const store = new MemoryScheduleStore();
    const ran: string[] = [];
    const jobs = ['one', 'other'].map((who) =>
      every(1_000)
        .withName('digest')
        .withStore(store)
        .withClock(clock)
        .run(({ scheduledAt }) => void ran.push(`${timeOf(scheduledAt)} ${who}`)),
    );
    await clock.advance(50_000);
    expect(ran.map((text) => text.slice(0, 5))).toEqual(
      Array.from({ length: 50 }, (_, index) => `00:${String(index + 1).padStart(2, '0')}`),
    );
    expect(jobs.map(({ counters }) => counters.runs).reduce((sum, runs) => sum + runs)).toBe(50);
    expect(await storedStatusesOf(store)).toHaveLength(50);
  });

  it('shift a fire by the same jitter', () => {
    const clock = startAtNoon();
    const store = new MemoryScheduleStore();
    const dates = [1, 2].map(async () => {
      const job = cron('0 13 * * *')
        .withName('digest')
        .withStore(store)
        .withJitter(600_000)
        .withClock(clock)
        .run(() => {});
      await clock.advance(0);
      return job.nextRunAt;
    });
    return expect(Promise.all(dates)).resolves.toSatisfy(([one, other]) => one.getTime() === other.getTime());
  });

  it('apply the overlap policy jointly', async () => {
    const clock = startAtNoon();
    const store = new MemoryScheduleStore();
    const { begun, work } = takeMs(clock, 2_500);
    const builder = every(1_000).withName('digest').withStore(store).withClock(clock);
    const jobs = [builder.run(work), builder.run(work)];
    await clock.advance(4_000);
    expect(begun).toEqual(['00:01', '00:04']);
    expect(await storedStatusesOf(store)).toEqual(['skipped_overlap', 'skipped_overlap', 'succeeded']);
    expect(jobs.map(({ counters }) => counters.runs).reduce((sum, runs) => sum + runs)).toBe(2);
  });

  it('replace a run of the other job', async () => {
    const clock = startAtNoon();
    const store = new MemoryScheduleStore();
    const { work } = takeMs(clock, 600_000);
    const builder = every(60_000).withName('digest').withOverlap('replace').withClock(clock);
    const first = builder.withStore(store, { leaseMs: 3_000 }).run(work);
    await clock.advance(60_000);
    expect(first.counters.runs).toBe(1);
    first.pause();
    const second = builder.withStore(store, { leaseMs: 3_000 }).run(work);
    await clock.advance(65_000);
    expect(first.history).toMatchObject([{ status: 'cancelled', reason: 'replaced by a later fire' }]);
    expect(second.counters.runs).toBe(1);
  });

  it('run queued fires in the order of the schedule', async () => {
    const clock = startAtNoon();
    const store = new MemoryScheduleStore();
    const { work } = takeMs(clock, 15_000);
    const builder = every(10_000).withName('digest').withOverlap('queue').withMaxRuns(4).withClock(clock);
    const jobs = [1, 2].map(() => builder.withStore(store, { leaseMs: 3_000 }).run(work));
    await clock.advance(120_000);
    const fires = await store.history('digest', 10);
    expect(fires.map(({ status, scheduled_at_ms }) => `${timeOf(scheduled_at_ms)} ${status}`)).toEqual(
      ['00:10', '00:20', '00:30', '00:40'].map((time) => `${time} succeeded`),
    );
    expect(jobs.map(({ status }) => status)).toEqual(['finished', 'finished']);
  });

  it("start a queued fire soon after the other job's fire has ended", async () => {
    const clock = startAtNoon();
    const store = new MemoryScheduleStore();
    const { begun, work } = takeMs(clock, 9_000);
    const builder = cron('0 0 1 1 *').withName('digest').withOverlap('queue').withClock(clock);
    const jobs = [1, 2].map(() => builder.withStore(store, { leaseMs: 6_000 }).run(work));
    const runs = jobs.map(async (job) => job.trigger());
    await clock.advance(30_000);
    expect(begun).toEqual(['00:00', '00:10']);
    expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  });
});

describe('a failing store', () => {
  class FailingStore extends MemoryScheduleStore {
    isDown = false;
    /** Whether the next save fails although it has written. */
    losesAnswer = false;
    override async load(name: string) {
      if (this.isDown) throw new Error('disk on fire');
      return super.load(name);
    }
    override async save(name: string, change: LedgerChange) {
      const isSaved = await super.save(name, change);
      if (!this.losesAnswer) return isSaved;
      this.losesAnswer = false;
      throw new Error('connection lost');
    }
  }

  it('is retried and logged, and the fires in the meantime are misfires', async () => {
    const lines: string[] = [];
    configureLogging({
      sink: ({ message, fields }) => void lines.push(`${message} ${String(fields['error'])}`),
    });
    const clock = startAtNoon();
    const store = new FailingStore();
    const job = every(60_000)
      .withName('digest')
      .withStore(store)
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(30_000);
    store.isDown = true;
    await clock.advance(200_000);
    expect(job.counters.runs).toBe(0);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.length).toBeLessThan(12);
    expect(lines[0]).toBe('The store of a job failed; retrying. disk on fire');
    store.isDown = false;
    await clock.advance(60_000);
    expect(job.counters).toMatchObject({ runs: 1, coalesced: 3 });
  });

  it('is retried after a short delay again once it has worked in between', async () => {
    configureLogging({ level: 'silent' });
    const clock = startAtNoon();
    const store = new FailingStore();
    const { begun, work } = takeMs(clock, 0);
    every(600_000).withName('digest').withStore(store).withClock(clock).run(work);
    await clock.advance(599_000);
    store.isDown = true;
    await clock.advance(200_000);
    store.isDown = false;
    await clock.advance(400_000);
    store.isDown = true;
    await clock.advance(1_500);
    store.isDown = false;
    await clock.advance(1_000);
    expect(begun).toEqual(['14:03', '20:01']);
  });

  it('makes trigger() reject, and records the end of a fire when it works again', async () => {
    configureLogging({ level: 'silent' });
    const clock = startAtNoon();
    const store = new FailingStore();
    const job = every(60_000)
      .withName('digest')
      .withStore(store)
      .withClock(clock)
      .run(takeMs(clock, 1_000).work);
    await clock.advance(60_000);
    store.isDown = true;
    await expect(job.trigger()).rejects.toThrow('disk on fire');
    await clock.advance(1_500);
    store.isDown = false;
    await clock.advance(1_000);
    expect(await storedStatusesOf(store)).toEqual(['succeeded']);
    expect(statusesOf(job)).toEqual(['succeeded']);
  });

  it('records the end of a fire even after a long outage, and the next fires are not blocked', async () => {
    configureLogging({ level: 'silent' });
    const clock = startAtNoon();
    const store = new FailingStore();
    const job = every(3_600_000)
      .withName('digest')
      .withStore(store)
      .withClock(clock)
      .run(takeMs(clock, 1_000).work);
    await clock.advance(3_600_000);
    store.isDown = true;
    await clock.advance(1_800_000);
    store.isDown = false;
    await clock.advance(1_801_000);
    expect(await storedStatusesOf(store)).toEqual(['succeeded', 'succeeded']);
    expect(statusesOf(job)).toEqual(['succeeded', 'succeeded']);
  });

  it('delays the next attempt of a fire without failing it', async () => {
    configureLogging({ level: 'silent' });
    const clock = startAtNoon();
    const store = new FailingStore();
    const job = every(3_600_000)
      .withName('digest')
      .withStore(store)
      .withRetry({ maxAttempts: 2, baseMs: 5_000 })
      .withClock(clock)
      .run(({ attempt }) => {
        if (attempt === 1) throw new Error('no paper');
      });
    await clock.advance(3_600_000);
    store.isDown = true;
    await clock.advance(6_000);
    store.isDown = false;
    await clock.advance(60_000);
    expect(job.history).toMatchObject([{ status: 'succeeded', attempt: 2 }]);
  });

  it('delays stop() only for a limited time', async () => {
    configureLogging({ level: 'silent' });
    const clock = startAtNoon();
    const store = new FailingStore();
    const job = every(60_000)
      .withName('digest')
      .withStore(store)
      .withClock(clock)
      .run(takeMs(clock, 1_000).work);
    await clock.advance(60_000);
    store.isDown = true;
    const stopped = job.stop();
    await clock.advance(600_000);
    await stopped;
    expect(statusesOf(job)).toEqual(['interrupted']);
  });

  it('records the end of a fire during stop() if it works again soon', async () => {
    configureLogging({ level: 'silent' });
    const clock = startAtNoon();
    const store = new FailingStore();
    const { work } = takeMs(clock, 1_000);
    const job = every(60_000).withName('digest').withStore(store).withClock(clock).run(work);
    await clock.advance(60_000);
    store.isDown = true;
    const stopped = job.stop();
    await clock.advance(5_000);
    store.isDown = false;
    await clock.advance(60_000);
    await stopped;
    expect(await storedStatusesOf(store)).toEqual(['succeeded']);
  });

  it('does not prevent a fire that waits for its next attempt from being stopped', async () => {
    configureLogging({ level: 'silent' });
    const clock = startAtNoon();
    const store = new FailingStore();
    const job = every(3_600_000)
      .withName('digest')
      .withStore(store)
      .withRetry({ maxAttempts: 2 })
      .withClock(clock)
      .run(() => Promise.reject(new Error('no paper')));
    await clock.advance(3_600_000);
    store.isDown = true;
    await clock.advance(6_000);
    const stopped = job.stop({ drain: false });
    await clock.advance(600_000);
    await stopped;
    expect(job.history).toMatchObject([{ status: 'interrupted', attempt: 1 }]);
  });

  it('does not abort a fire whose work is done', async () => {
    configureLogging({ level: 'silent' });
    const clock = startAtNoon();
    const store = new FailingStore();
    const signals: AbortSignal[] = [];
    const job = every(60_000)
      .withName('digest')
      .withStore(store)
      .withClock(clock)
      .run(async ({ signal }) => {
        signals.push(signal);
        store.isDown = true;
      });
    await clock.advance(60_000);
    const stopped = job.stop({ drain: false });
    store.isDown = false;
    await clock.advance(60_000);
    await stopped;
    expect(statusesOf(job)).toEqual(['succeeded']);
    expect(signals).toMatchObject([{ aborted: false }]);
  });

  it('starts no queued fire after stop(), even if they could not be cancelled then', async () => {
    configureLogging({ level: 'silent' });
    const clock = startAtNoon();
    const store = new FailingStore();
    const { begun, work } = takeMs(clock, 150_000);
    const builder = every(60_000).withName('digest').withStore(store).withOverlap('queue');
    const job = builder.withClock(clock).run(work);
    await clock.advance(121_000);
    store.isDown = true;
    const stopped = job.stop();
    await clock.advance(1_000);
    store.isDown = false;
    await clock.advance(600_000);
    await stopped;
    expect(begun).toEqual(['01:00']);
    expect(statusesOf(job)).toEqual(['succeeded', 'cancelled']);
    expect(job.history[1]).toMatchObject({ reason: 'the job was stopped' });
  });

  it.each([
    ['trigger()', async (job: ScheduledJob) => job.trigger()],
    [
      'resume()',
      async (job: ScheduledJob) => {
        job.pause();
        await job.resume();
      },
    ],
  ])('at the start does not hide the history and a changed schedule from a job after %s', async (_, act) => {
    configureLogging({ level: 'silent' });
    const store = new FailingStore();
    const first = startAtNoon();
    const before = every(60_000)
      .withName('digest')
      .withStore(store)
      .withClock(first)
      .run(() => 'ran');
    await first.advance(60_000);
    await before.stop();
    store.isDown = true;
    const clock = startAtNoon('2026-01-01T15:00:10Z');
    const after = every(3_600_000)
      .withName('digest')
      .withStore(store)
      .withClock(clock)
      .run(takeMs(clock, 0).work);
    await clock.advance(100);
    store.isDown = false;
    const acted = act(after);
    await clock.advance(1);
    await acted;
    expect(after.history[0]?.scheduledAt).toEqual(new Date('2026-01-01T12:01:00Z'));
    expect(after.counters.coalesced).toBe(0);
    expect(timeOf(after.nextRunAt)).toBe('00:10.100');
  });

  it.each([
    ['start', 59_000, ['01:01', '02:00']],
    ['end', 60_000, ['01:00', '02:00']],
  ])(
    'that has written the %s of a fire all the same neither loses nor repeats it',
    async (_, atMs, expected) => {
      configureLogging({ level: 'silent' });
      const clock = startAtNoon();
      const store = new FailingStore();
      const { begun, work } = takeMs(clock, 1_000);
      const results: unknown[] = [];
      const job = every(60_000)
        .withName('digest')
        .withStore(store)
        .withCallbacks({ onSuccess: ({ result }) => void results.push(result) })
        .withClock(clock)
        .run(work);
      await clock.advance(atMs);
      store.losesAnswer = true;
      await clock.advance(125_000 - atMs);
      expect(begun).toEqual(expected);
      expect(statusesOf(job)).toEqual(['succeeded', 'succeeded']);
      expect(results).toHaveLength(2);
      expect(await storedStatusesOf(store)).toEqual(['succeeded', 'succeeded']);
    },
  );

  it('does not abort a fire whose work is done when a later one replaces it', async () => {
    configureLogging({ level: 'silent' });
    const clock = startAtNoon();
    const store = new FailingStore();
    const signals: AbortSignal[] = [];
    const builder = every(60_000).withName('digest').withStore(store).withOverlap('replace');
    const job = builder.withClock(clock).run(async ({ signal }) => {
      signals.push(signal);
      store.isDown = signals.length === 1;
    });
    await clock.advance(60_000);
    store.isDown = false;
    const replacing = job.trigger();
    await clock.advance(5_000);
    await replacing;
    expect(statusesOf(job)).toEqual(['succeeded', 'succeeded']);
    expect(signals).toMatchObject([{ aborted: false }, { aborted: false }]);
  });

  it('does not prevent an idle job from stopping', async () => {
    configureLogging({ level: 'silent' });
    const store = new FailingStore();
    const job = every(60_000)
      .withName('digest')
      .withStore(store)
      .withClock(new ManualClock())
      .run(() => 'ran');
    store.isDown = true;
    await job.stop();
    expect(job.status).toBe('stopped');
  });
});
