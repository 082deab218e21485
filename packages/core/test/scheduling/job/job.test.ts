import { describe, expect, it } from 'vitest';
import { listJobs } from '../../../src/scheduling/job/job-registry.js';
import type { RunRecord } from '../../../src/scheduling/fire/run-record.js';
import { at, cron, every } from '../../../src/scheduling/schedules.js';
import { createUnreadable } from '../../unreadable-errors.js';
import { startAtNoon, statusesOf, takeMs, timeOf } from '../scheduled-work.js';

describe('a job', () => {
  it('fires on schedule and passes the context of the fire to the work', async () => {
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

  it('first fires one interval after its start', async () => {
    const clock = startAtNoon('2026-01-01T12:00:10Z');
    const { begun, work } = takeMs(clock, 0);
    every(90_000).withClock(clock).run(work);
    await clock.advance(89_999);
    expect(begun).toEqual([]);
    await clock.advance(90_001);
    expect(begun).toEqual(['01:40', '03:10']);
  });

  it('with at() fires once and is then finished', async () => {
    const clock = startAtNoon();
    const job = at(new Date('2026-01-01T12:00:05Z'))
      .withClock(clock)
      .run(() => 'done');
    await clock.advance(5_000);
    await job.finished;
    expect(job.status).toBe('finished');
    await job.stop();
    expect(job.status).toBe('finished');
    expect(job.nextRunAt).toBeUndefined();
    expect(job.history).toMatchObject([{ status: 'succeeded', result: 'done' }]);
    expect(listJobs()).not.toContain(job);
  });

  it('with at() in the past is missed, and reports that to onSkip', async () => {
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

  it('records the error that the work threw', async () => {
    const clock = startAtNoon();
    const failure = new Error('no paper');
    const job = every(1_000)
      .withClock(clock)
      .run(() => Promise.reject(failure));
    await clock.advance(1_000);
    expect(job.history).toMatchObject([{ status: 'failed', error: failure, attempt: 1 }]);
    expect(job.counters).toMatchObject({ runs: 1, failed: 1 });
  });

  it.each([
    ...createUnreadable(),
    ['an error whose message has no text', Object.assign(new Error('x'), { message: Object.create(null) })],
  ])('fails and fires again if its work throws %s', async (_what, error) => {
    const clock = startAtNoon();
    const job = every(1_000)
      .withClock(clock)
      .run(() => {
        throw error;
      });
    await clock.advance(2_000);
    await job.stop();
    expect(statusesOf(job)).toEqual(['failed', 'failed']);
  });

  it('fires when triggered, without jitter, and resolves with the record', async () => {
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

  it('continues a triggered fire when the signal of trigger() aborts, which ends only the wait', async () => {
    const done = Promise.withResolvers<string>();
    const began = Promise.withResolvers<void>();
    const job = every(60_000)
      .withClock(startAtNoon())
      .run(async () => {
        began.resolve();
        return done.promise;
      });
    const left = new AbortController();
    const waiting = job.trigger({ signal: left.signal });
    await began.promise;
    left.abort(new Error('no longer'));
    await expect(waiting).rejects.toThrow('no longer');
    await expect(job.trigger({ signal: left.signal })).rejects.toThrow('no longer');
    done.resolve('ok');
    await expect.poll(() => job.counters).toMatchObject({ runs: 1, succeeded: 1, cancelled: 0 });
    await expect(job.trigger({ sgnal: left.signal } as never)).rejects.toMatchObject({
      code: 'SCHEDULE_INVALID_OPTION',
    });
    await job.stop();
  });

  it('counts only fires that ran towards maxRuns, including triggered ones', async () => {
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

describe('retry', () => {
  it('waits before each further attempt, and counts all attempts as one run', async () => {
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

  it('stops if retryOn throws, and fails with the last error and that of retryOn', async () => {
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
