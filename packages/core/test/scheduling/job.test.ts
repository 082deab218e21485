import { describe, expect, it, onTestFinished } from 'vitest';
import { configureLogging } from '../../src/logging/logger.js';
import { listJobs, stopAllJobs } from '../../src/scheduling/job-registry.js';
import type { RunRecord } from '../../src/scheduling/run-record.js';
import { MemoryScheduleStore } from '../../src/scheduling/memory-schedule-store.js';
import { at, cron, every } from '../../src/scheduling/schedules.js';
import { startAtNoon, statusesOf, takeMs, timeOf } from './scheduled-work.js';

describe('a job', () => {
  it('fires by its schedule, with what the work has to know', async () => {
    const clock = startAtNoon();
    const job = cron('*/15 * * * *')
      .withName('digest')
      .withClock(clock)
      .run(({ jobName, scheduledAt, attempt, origin }) => [jobName, timeOf(scheduledAt), attempt, origin]);
    expect(job.upcoming(2).map(timeOf)).toEqual(['15:00', '30:00']);
    await clock.advance(30 * 60_000);
    expect(job.history.map(({ result }) => result)).toEqual([
      ['digest', '15:00', 1, 'schedule'],
      ['digest', '30:00', 1, 'schedule'],
    ]);
    expect(job.history[0]).toMatchObject({
      status: 'succeeded',
      firedAt: new Date('2026-01-01T12:15:00Z'),
      finishedAt: new Date('2026-01-01T12:15:00Z'),
      jitterMs: 0,
      coalesced: 0,
    });
    expect(timeOf(job.nextRunAt)).toBe('45:00');
    expect(job.counters).toMatchObject({ runs: 2, succeeded: 2, failed: 0 });
  });

  it('fires an interval first when it is over, counted from its start', async () => {
    const clock = startAtNoon('2026-01-01T12:00:10Z');
    const { begun, work } = takeMs(clock, 0);
    every(90_000).withClock(clock).run(work);
    await clock.advance(89_999);
    expect(begun).toEqual([]);
    await clock.advance(90_001);
    expect(begun).toEqual(['01:40', '03:10']);
  });

  it('fires a moment once and is finished then', async () => {
    const clock = startAtNoon();
    const job = at(new Date('2026-01-01T12:00:05Z'))
      .withClock(clock)
      .run(() => 'done');
    await clock.advance(5_000);
    await job.finished;
    expect(job.status).toBe('finished');
    expect(job.nextRunAt).toBeUndefined();
    expect(job.history).toMatchObject([{ status: 'succeeded', result: 'done' }]);
    expect(listJobs()).not.toContain(job);
  });

  it('misses a moment that has passed, and says so', async () => {
    const clock = startAtNoon();
    const skipped: RunRecord[] = [];
    const job = at(new Date('2026-01-01T11:59:59Z'))
      .withClock(clock)
      .withCallbacks({ onSkip: (run) => void skipped.push(run) })
      .run(() => 'never');
    await clock.advance(60_000);
    expect(job.status).toBe('missed');
    expect(skipped).toMatchObject([
      { status: 'missed', attempt: 0, scheduledAt: new Date('2026-01-01T11:59:59Z') },
    ]);
    expect(job.counters).toMatchObject({ missed: 1, runs: 0 });
  });

  it('records what the work threw', async () => {
    const clock = startAtNoon();
    const failure = new Error('no paper');
    const job = every(1_000)
      .withClock(clock)
      .run(() => Promise.reject(failure));
    await clock.advance(1_000);
    expect(job.history).toMatchObject([{ status: 'failed', error: failure, attempt: 1 }]);
    expect(job.counters).toMatchObject({ runs: 1, failed: 1 });
  });

  it('fires when it is triggered, and resolves with what became of it', async () => {
    const clock = startAtNoon();
    const job = cron('0 0 1 1 *')
      .withClock(clock)
      .withJitter({ minMs: 5_000, maxMs: 5_000 })
      .run(({ origin }) => origin);
    await expect(job.trigger()).resolves.toMatchObject({
      origin: 'manual',
      status: 'succeeded',
      result: 'manual',
      jitterMs: 0,
      scheduledAt: new Date('2026-01-01T12:00:00Z'),
    });
  });

  it('counts only fires that ran towards maxRuns, triggered ones too', async () => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 1_500);
    const job = every(1_000).withMaxRuns(2).withClock(clock).run(work);
    await clock.advance(10_000);
    expect(begun).toEqual(['00:01', '00:03']);
    expect(statusesOf(job)).toEqual(['skipped_overlap', 'succeeded', 'succeeded']);
    expect(job.status).toBe('finished');
    await expect(job.trigger()).rejects.toMatchObject({ code: 'SCHEDULE_JOB_ENDED' });

    const triggered = every(1_000).withMaxRuns(1).withClock(clock).run(work);
    void triggered.trigger();
    await expect(triggered.trigger()).rejects.toMatchObject({ code: 'SCHEDULE_EXHAUSTED' });
  });

  it('runs twice when maxRuns is 2 and the first fire was skipped', async () => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 0);
    const job = every(60_000).withMaxRuns(2).withMisfire('skip').withClock(clock).run(work);
    await clock.leap(60_000 + 30_001);
    await clock.advance(600_000);
    expect(statusesOf(job)).toEqual(['skipped_misfire', 'succeeded', 'succeeded']);
    expect(begun).toEqual(['02:00', '03:00']);
    expect(job.status).toBe('finished');
  });
});

describe('jitter', () => {
  it.each([
    [60_000, 'skipped_jitter', { skippedJitter: 1, runs: 0 }],
    [59_999, 'succeeded', { skippedJitter: 0, runs: 1 }],
  ])('of %d ms on an interval of 60 000 gives %s', async (jitterMs, status, counters) => {
    const clock = startAtNoon();
    const job = every(60_000)
      .withJitter({ minMs: jitterMs, maxMs: jitterMs })
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(119_999);
    expect(statusesOf(job)).toEqual([status]);
    expect(job.counters).toMatchObject(counters);
  });

  it('lets a fire pass the next one when it is told to', async () => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 0);
    every(60_000)
      .withJitter({ minMs: 70_000, maxMs: 70_000, skipPastNext: false })
      .withClock(clock)
      .run(work);
    await clock.advance(200_000);
    expect(begun).toEqual(['02:10', '03:10']);
  });

  it('fires early when it is negative, once for each fire', async () => {
    const clock = startAtNoon('2026-01-01T11:59:00Z');
    const { begun, work } = takeMs(clock, 0);
    const job = cron('0 12 * * *').withJitter({ minMs: -10_000, maxMs: -10_000 }).withClock(clock).run(work);
    await clock.advance(3_600_000);
    expect(begun).toEqual(['59:50']);
    expect(job.history).toMatchObject([{ scheduledAt: new Date('2026-01-01T12:00:00Z'), jitterMs: -10_000 }]);
    expect(job.nextRunAt).toEqual(new Date('2026-01-02T11:59:50Z'));
  });

  it('fires at once what it would have fired before the job was there', async () => {
    const clock = startAtNoon('2026-01-01T11:59:55Z');
    const { begun, work } = takeMs(clock, 0);
    const jitter = { minMs: -40_000, maxMs: -40_000 };
    const job = cron('0 12 * * *').withJitter(jitter).withMisfire('skip').withClock(clock).run(work);
    await clock.advance(1_000);
    expect(begun).toEqual(['59:55']);
    expect(statusesOf(job)).toEqual(['succeeded']);
  });
});

it('a fire that waits for one that was shifted more is not late by that', async () => {
  const clock = startAtNoon();
  const job = every(10_000)
    .withJitter({ minMs: -60_000, maxMs: 0, seed: 'far' })
    .withMisfire('skip')
    .withOverlap({ maxOverlap: 0 })
    .withClock(clock)
    .run(() => 'ran');
  await clock.advance(600_000);
  expect(job.counters.skippedMisfire).toBe(0);
  expect(job.counters.runs).toBeGreaterThan(55);
});

describe('retry', () => {
  it('tries again after each wait, as one run', async () => {
    const clock = startAtNoon();
    const attempts: string[] = [];
    const job = at(new Date('2026-01-01T12:01:00Z'))
      .withRetry({ maxAttempts: 4, backoff: 'exponential', baseMs: 30_000, factor: 2 })
      .withClock(clock)
      .run(({ attempt, fireId }) => {
        attempts.push(`${attempt} ${timeOf(clock.now())} ${fireId}`);
        if (attempt < 4) throw new Error('not yet');
        return 'at last';
      });
    await clock.advance(3_600_000);
    const [{ fireId } = { fireId: '' }] = job.history;
    expect(attempts).toEqual(['1 01:00', '2 01:30', '3 02:30', '4 04:30'].map((text) => `${text} ${fireId}`));
    expect(job.history).toMatchObject([{ status: 'succeeded', attempt: 4, result: 'at last' }]);
    expect(job.counters).toMatchObject({ runs: 1, succeeded: 1, failed: 0 });
  });

  it('ends with the last failure, and keeps it when retryOn itself throws', async () => {
    const clock = startAtNoon();
    const failure = new Error('attempt 2');
    const job = at(new Date('2026-01-01T12:01:00Z'))
      .withRetry({
        maxAttempts: 5,
        retryOn: (_error, attempt) => {
          if (attempt === 2) throw new Error('cannot say');
          return true;
        },
      })
      .withClock(clock)
      .run(({ attempt }) => Promise.reject(attempt === 2 ? failure : new Error('attempt 1')));
    await clock.advance(600_000);
    expect(job.history).toMatchObject([{ status: 'failed', attempt: 2 }]);
    expect(job.history[0]?.error).toMatchObject({ errors: [failure, new Error('cannot say')] });
  });
});

describe('overlap', () => {
  it.each([
    ['skip', ['00.100'], ['skipped_overlap', 'skipped_overlap', 'succeeded']],
    ['queue', ['00.100', '00.400', '00.700'], ['succeeded', 'succeeded', 'succeeded']],
    ['replace', ['00.100', '00.200', '00.300'], ['cancelled', 'cancelled', 'succeeded']],
  ] as const)('under %s, three ticks of 100 ms into a run of 300 ms', async (policy, begins, statuses) => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 300);
    const job = every(100).withOverlap(policy).withClock(clock).run(work);
    await clock.advance(300);
    job.pause();
    await clock.advance(1_000);
    expect(begun).toEqual(begins.map((time) => `00:${time}`));
    expect(statusesOf(job)).toEqual(statuses);
  });

  it('queues in the order of the schedule', async () => {
    const clock = startAtNoon();
    const { work } = takeMs(clock, 300);
    const job = every(100).withOverlap('queue').withClock(clock).run(work);
    await clock.advance(300);
    job.pause();
    await clock.advance(1_000);
    expect(job.history.map(({ scheduledAt }) => timeOf(scheduledAt))).toEqual([
      '00:00.100',
      '00:00.200',
      '00:00.300',
    ]);
  });

  it('waits for replaced work that does not listen, and counts it as cancelled', async () => {
    const clock = startAtNoon();
    const begun: string[] = [];
    const job = every(100)
      .withOverlap('replace')
      .withClock(clock)
      .run(async () => {
        begun.push(timeOf(clock.now()));
        await new Promise<void>((resolve) => clock.startTimer(300, resolve));
      });
    await clock.advance(300);
    job.pause();
    await clock.advance(1_000);
    expect(begun).toEqual(['00:00.100', '00:00.400']);
    expect(statusesOf(job)).toEqual(['cancelled', 'cancelled', 'succeeded']);
    expect(job.history.map(({ attempt }) => attempt)).toEqual([0, 1, 1]);
  });

  it.each([
    [2, 3, ['skipped_overlap']],
    [0, 4, []],
  ])('with maxOverlap %d lets %d of four fires run at once', async (maxOverlap, _running, statuses) => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 250);
    const job = every(100).withOverlap({ policy: 'skip', maxOverlap }).withClock(clock).run(work);
    await clock.advance(340);
    expect(statusesOf(job)).toEqual(statuses);
    expect(begun.length).toBe(3 - statuses.length);
  });

  it('skips what a full queue cannot hold', async () => {
    const clock = startAtNoon();
    const { work } = takeMs(clock, 10_000);
    const job = every(100).withOverlap({ policy: 'queue', maxQueued: 2 }).withClock(clock).run(work);
    await clock.advance(500);
    expect(job.counters).toMatchObject({ runs: 1, skippedOverlap: 2 });
  });
});

describe('misfire', () => {
  it.each([
    [30_000, 'succeeded'],
    [30_001, 'skipped_misfire'],
  ])('a fire that is %d ms late is %s', async (lateMs, status) => {
    const clock = startAtNoon();
    const job = cron('0 13 * * *')
      .withMisfire('skip')
      .withClock(clock)
      .run(() => 'ran');
    await clock.leap(3_600_000 + lateMs);
    expect(statusesOf(job)).toEqual([status]);
  });

  it.each([
    ['skip', { runs: 1, skippedMisfire: 9, coalesced: 0 }],
    ['fire_now', { runs: 10, skippedMisfire: 0, coalesced: 0 }],
    ['coalesce', { runs: 1, skippedMisfire: 0, coalesced: 9 }],
  ] as const)('under %s, ten minutes of sleep of a job that fires each minute', async (policy, counters) => {
    const clock = startAtNoon();
    const job = every(60_000)
      .withMisfire(policy)
      .withOverlap({ policy: 'queue' })
      .withClock(clock)
      .run(() => 'ran');
    await clock.leap(10 * 60_000);
    expect(job.counters).toMatchObject(counters);
    await clock.advance(60_000);
    expect(job.counters.runs).toBe(counters.runs + 1);
  });

  it('does not look at every fire of a sleep of years, and says so', async () => {
    const lines: string[] = [];
    configureLogging({ sink: ({ message }) => void lines.push(message) });
    onTestFinished(() => configureLogging());
    const clock = startAtNoon();
    const job = cron('* * * * * *')
      .withMisfire('coalesce')
      .withClock(clock)
      .run(() => 'ran');
    await clock.leap(3 * 365 * 86_400_000);
    expect(job.counters).toMatchObject({ runs: 1, coalesced: 1_000 });
    expect(job.history[0]?.scheduledAt).toEqual(new Date(clock.now()));
    expect(lines).toEqual([expect.stringContaining('More fires were missed')]);
  });
});

describe('pausing', () => {
  it('lets fires go until the job is resumed, and they are no misfires', async () => {
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

  it('still lets the job be triggered', async () => {
    const clock = startAtNoon();
    const job = every(60_000)
      .withClock(clock)
      .run(() => 'ran');
    job.pause();
    await expect(job.trigger()).resolves.toMatchObject({ status: 'succeeded' });
  });
});

describe('stopping', () => {
  it('drains: what runs ends, what waits is cancelled', async () => {
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

  it('without draining cancels what runs, which is no failure', async () => {
    const clock = startAtNoon();
    const told: string[] = [];
    const job = every(100)
      .withRetry({ maxAttempts: 3 })
      .withCallbacks({ onError: () => void told.push('error'), onCancel: () => void told.push('cancel') })
      .withClock(clock)
      .run(takeMs(clock, 1_000).work);
    await clock.advance(150);
    await job.stop({ drain: false });
    expect(job.history).toMatchObject([{ status: 'cancelled', reason: 'the job was stopped', attempt: 1 }]);
    expect(told).toEqual(['cancel']);
  });

  it('without draining cancels also what begins while the stop is being written', async () => {
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

  it('is over when the callbacks are', async () => {
    const clock = startAtNoon();
    const told: string[] = [];
    const job = at(new Date('2026-01-01T12:00:01Z'))
      .withClock(clock)
      .withCallbacks({
        async onSuccess() {
          await new Promise<void>((resolve) => clock.startTimer(5_000, resolve));
          told.push('success');
        },
      })
      .run(() => 'ran');
    void job.finished.then(() => told.push('finished'));
    await clock.advance(1_000);
    expect(told).toEqual([]);
    await clock.advance(5_000);
    expect(told).toEqual(['success', 'finished']);
  });

  it('ends a wait between attempts', async () => {
    const clock = startAtNoon();
    const job = every(100)
      .withRetry({ maxAttempts: 3 })
      .withClock(clock)
      .run(() => Promise.reject(new Error('no')));
    await clock.advance(100);
    await job.stop({ drain: false });
    expect(statusesOf(job)).toEqual(['cancelled']);
  });

  it('while it is paused does not hang', async () => {
    const clock = startAtNoon();
    const job = every(100)
      .withClock(clock)
      .run(() => 'ran');
    job.pause();
    await job.stop();
    expect(job.status).toBe('stopped');
  });

  it.each(['onFire', 'onSuccess'] as const)('from %s does not wait for that callback', async (name) => {
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

  it('from its own work does not wait for itself', async () => {
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

  it('gives the wait up when its signal aborts, and cancels what runs', async () => {
    const clock = startAtNoon();
    const job = every(100).withClock(clock).run(takeMs(clock, 60_000).work);
    await clock.advance(100);
    const patience = new AbortController();
    const stopping = job.stop({ signal: patience.signal });
    patience.abort(new Error('enough'));
    await expect(stopping).rejects.toThrow('enough');
    await job.finished;
    expect(statusesOf(job)).toEqual(['cancelled']);
  });

  it('stops every job of the process, and leaving an await using block stops one', async () => {
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
