import { describe, expect, it, onTestFinished } from 'vitest';
import { configureLogging } from '../../../src/logging/logger.js';
import { listJobs, stopAllJobs } from '../../../src/scheduling/job/job-registry.js';
import { MemoryScheduleStore } from '../../../src/scheduling/store/memory-schedule-store.js';
import { at, every } from '../../../src/scheduling/schedules.js';
import { TimerHeap } from '../../../src/scheduling/clock/timer-heap.js';
import { startAtNoon, statusesOf, takeMs, timeOf } from '../scheduled-work.js';

describe('pausing', () => {
  it('drops the fires that come due until the job is resumed, and does not record them as misfires', async () => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 0);
    const job = every(60_000).withClock(clock).run(work);
    await clock.advance(60_000);
    job.pause();
    expect(job.status).toBe('paused');
    expect(job.nextRunAt).toBeUndefined();
    await clock.advance(5 * 60_000 + 30_000);
    await job.resume();
    expect(timeOf(job.nextRunAt)).toBe('07:00');
    await clock.advance(60_000);
    expect(begun).toEqual(['01:00', '07:00']);
    expect(statusesOf(job)).toEqual(['succeeded', 'succeeded']);
  });

  it('keeps a fire that its jitter moves past the resume, since another process may be waiting for it', async () => {
    const clock = startAtNoon();
    const store = new MemoryScheduleStore();
    const { begun, work } = takeMs(clock, 0);
    const start = () =>
      every(600_000)
        .withName('late')
        .withJitter({ minMs: 60_000, maxMs: 60_000 })
        .withStore(store)
        .withClock(clock)
        .run(work);
    const paused = start();
    const other = start();
    await clock.advance(1);
    paused.pause();
    await clock.advance(630_000);
    await paused.resume();
    expect(timeOf(paused.nextRunAt)).toBe('11:00');
    await clock.advance(60_000);
    expect(begun).toEqual(['11:00']);
    await Promise.all([paused.stop(), other.stop()]);
  });

  it('keeps a fire scheduled for later that jitter made due during the pause, and it is not a misfire', async () => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 0);
    const jitter = { minMs: -120_000, maxMs: -120_000 };
    const job = every(600_000).withJitter(jitter).withMisfire('skip').withClock(clock).run(work);
    await clock.advance(1);
    job.pause();
    await clock.advance(1_169_999);
    await job.resume();
    await clock.advance(60_000);
    expect(begun).toEqual(['19:30']);
    job.pause();
    await clock.advance(510_000);
    await job.resume();
    await clock.advance(1_000);
    expect(begun).toEqual(['19:30', '29:00']);
    await job.stop();
  });

  it('does not prevent trigger()', async () => {
    const clock = startAtNoon();
    const job = every(60_000)
      .withClock(clock)
      .run(() => 'ran');
    job.pause();
    await expect(job.trigger()).resolves.toMatchObject({ status: 'succeeded' });
  });

  it('leaves no alarm set', async () => {
    const clock = startAtNoon();
    const job = every(60_000)
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(1);
    expect(TimerHeap.of(clock).size).toBe(1);
    job.pause();
    expect(TimerHeap.of(clock).size).toBe(0);
  });

  it('does not change the jitter of the next fire', async () => {
    const clock = startAtNoon();
    const job = every(3_600_000)
      .withJitter(600_000)
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(1);
    const { nextRunAt } = job;
    job.pause();
    await job.resume();
    expect(job.nextRunAt).toEqual(nextRunAt);
  });

  it('lasts when it is called again during resume()', async () => {
    const clock = startAtNoon();
    const job = every(60_000)
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(1);
    job.pause();
    const resumed = job.resume();
    job.pause();
    await resumed;
    expect(job.status).toBe('paused');
    await Promise.all([job.resume(), job.resume()]);
    expect(job.status).toBe('active');
  });

  it('ends when stop() is called during resume()', async () => {
    const clock = startAtNoon();
    const job = every(60_000)
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(1);
    job.pause();
    await Promise.all([job.resume(), job.stop()]);
    expect(job.status).toBe('stopped');
  });
});

describe('stopping', () => {
  it('lets running fires finish and cancels waiting ones', async () => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 1_000);
    const job = every(100).withOverlap('queue').withClock(clock).run(work);
    await clock.advance(250);
    const stopping = job.stop();
    expect(job.status).toBe('stopping');
    await clock.advance(10_000);
    await stopping;
    expect(begun).toEqual(['00:00.100']);
    expect(statusesOf(job)).toEqual(['cancelled', 'succeeded']);
    expect(job.status).toBe('stopped');
    expect(listJobs()).not.toContain(job);
    await job.stop();
  });

  it.each([
    ['an option that does not exist', { drian: false }],
    ['a string for drain', { drain: 'no' }],
    ['a signal that is not an AbortSignal', { signal: 5 }],
  ])('refuses %s, and the job continues', async (_what, options) => {
    const job = every(60_000)
      .withClock(startAtNoon())
      .run(() => {});
    await expect(job.stop(options as never)).rejects.toMatchObject({ code: 'SCHEDULE_INVALID_OPTION' });
    expect(job.status).toBe('active');
  });

  it('drains when drain is null', async () => {
    const clock = startAtNoon();
    const job = every(60_000).withClock(clock).run(takeMs(clock, 30_000).work);
    await clock.advance(60_000);
    const stopping = job.stop({ drain: null, signal: null } as never);
    await clock.advance(30_000);
    await stopping;
    expect(statusesOf(job)).toEqual(['succeeded']);
  });

  it('with drain false cancels running fires, which does not count as a failure', async () => {
    const clock = startAtNoon();
    const calls: string[] = [];
    const job = every(100)
      .withRetry({ maxAttempts: 3 })
      .withCallbacks({ onError: () => void calls.push('error'), onCancel: () => void calls.push('cancel') })
      .withClock(clock)
      .run(takeMs(clock, 1_000).work);
    await clock.advance(150);
    await job.stop({ drain: false });
    expect(job.history).toMatchObject([{ status: 'cancelled', reason: 'the job was stopped', attempt: 1 }]);
    expect(job.history[0]).not.toHaveProperty('error');
    expect(calls).toEqual(['cancel']);
  });

  it('with drain false also cancels a fire that begins while the stop is being saved', async () => {
    const clock = startAtNoon();
    const gate = Promise.withResolvers<void>();
    let isGated = false;
    class GatedStore extends MemoryScheduleStore {
      override async save(...change: Parameters<MemoryScheduleStore['save']>) {
        if (isGated) await gate.promise;
        return super.save(...change);
      }
    }
    const { work } = takeMs(clock, 1_000);
    const job = every(700)
      .withName('digest')
      .withStore(new GatedStore())
      .withOverlap('queue')
      .withClock(clock)
      .run(work);
    await clock.advance(1_600);
    isGated = true;
    await clock.advance(150);
    const stopping = job.stop({ drain: false });
    gate.resolve();
    await stopping;
    expect(statusesOf(job)).toEqual(['succeeded', 'cancelled']);
  });

  it('resolves `finished` only after the callbacks have ended', async () => {
    const clock = startAtNoon();
    const calls: string[] = [];
    const job = at(new Date('2026-01-01T12:00:01Z'))
      .withClock(clock)
      .withCallbacks({
        async onSuccess() {
          await new Promise<void>((resolve) => clock.startTimer(5_000, resolve));
          calls.push('success');
        },
      })
      .run(() => 'ran');
    void job.finished.then(() => calls.push('finished'));
    await clock.advance(1_000);
    expect(calls).toEqual([]);
    await clock.advance(5_000);
    expect(calls).toEqual(['success', 'finished']);
  });

  it('with drain false ends the wait between attempts', async () => {
    const clock = startAtNoon();
    const job = every(100)
      .withRetry({ maxAttempts: 3 })
      .withClock(clock)
      .run(() => Promise.reject(new Error('no')));
    await clock.advance(100);
    await job.stop({ drain: false });
    expect(statusesOf(job)).toEqual(['cancelled']);
  });

  it('does not hang while the job is paused', async () => {
    const clock = startAtNoon();
    const job = every(100)
      .withClock(clock)
      .run(() => 'ran');
    job.pause();
    await job.stop();
    expect(job.status).toBe('stopped');
  });

  it.each(['onFire', 'onSuccess'] as const)('does not wait for %s when called from it', async (name) => {
    const clock = startAtNoon();
    let hasStopped = false;
    const job = every(100)
      .withClock(clock)
      .withCallbacks({
        async [name]() {
          await job.stop();
          hasStopped = true;
        },
      })
      .run(() => 'done');
    await clock.advance(100);
    await job.finished;
    expect(hasStopped).toBe(true);
    expect(job.history).toMatchObject([{ status: 'succeeded', result: 'done' }]);
    expect(job.status).toBe('stopped');
  });

  it('is done even if its store fails, which is logged', async () => {
    const logged: unknown[] = [];
    configureLogging({ sink: ({ message, fields }) => void logged.push([message, fields['error']]) });
    onTestFinished(() => configureLogging({ level: 'silent' }));
    const clock = startAtNoon();
    const store = new MemoryScheduleStore();
    const job = every(100)
      .withName('digest')
      .withStore(store)
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(1);
    store.load = () => Promise.reject(new Error('disk on fire'));
    await job.stop();
    expect(job.status).toBe('stopped');
    expect(logged).toEqual([['The queued fires of a job could not be cancelled.', 'disk on fire']]);
  });

  it('does not wait for the work that called it', async () => {
    const clock = startAtNoon();
    const job = every(100)
      .withClock(clock)
      .run(async () => {
        await job.stop();
        return 'stopped myself';
      });
    await clock.advance(100);
    await job.finished;
    expect(job.history).toMatchObject([{ status: 'succeeded', result: 'stopped myself' }]);
    expect(job.status).toBe('stopped');
  });

  it('ends the wait and cancels running fires when its signal aborts', async () => {
    const clock = startAtNoon();
    const job = every(100).withClock(clock).run(takeMs(clock, 60_000).work);
    await clock.advance(100);
    const controller = new AbortController();
    const stopping = job.stop({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(stopping).rejects.toThrow('enough');
    await job.finished;
    expect(statusesOf(job)).toEqual(['cancelled']);
  });

  it('stops the job and cancels running fires even if its signal has aborted already', async () => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 60_000);
    const job = every(100).withClock(clock).run(work);
    await clock.advance(100);
    await expect(job.stop({ signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
    await job.finished;
    await clock.advance(1_000);
    expect(begun).toEqual(['00:00.100']);
    expect(statusesOf(job)).toEqual(['cancelled']);
    expect(job.status).toBe('stopped');
  });

  it('happens to every job in stopAllJobs(), and to one job at the end of an await using block', async () => {
    const clock = startAtNoon();
    const jobs = [every(100), every(200)].map((builder) => builder.withClock(clock).run(() => 'ran'));
    expect(listJobs()).toEqual(expect.arrayContaining(jobs));
    await stopAllJobs();
    expect(jobs.map(({ status }) => status)).toEqual(['stopped', 'stopped']);
    {
      await using job = every(100)
        .withClock(clock)
        .run(() => 'ran');
      jobs.push(job);
    }
    expect(jobs.at(-1)?.status).toBe('stopped');
  });
});
