import { describe, expect, it, onTestFinished } from 'vitest';
import { configureLogging } from '../../../src/logging/logger.js';
import type { Overlap } from '../../../src/scheduling/policy/overlap.js';
import { cron, every } from '../../../src/scheduling/schedules.js';
import { startAtNoon, statusesOf, takeMs, timeOf } from '../scheduled-work.js';

describe('jitter', () => {
  it.each([
    [60_000, 'skipped_jitter', { skippedJitter: 1, runs: 0 }],
    [59_999, 'succeeded', { skippedJitter: 0, runs: 1 }],
  ])('of %d ms on an interval of 60 000 ms gives %s', async (jitterMs, status, counters) => {
    const clock = startAtNoon();
    const job = every(60_000)
      .withJitter({ minMs: jitterMs, maxMs: jitterMs })
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(119_999);
    expect(statusesOf(job)).toEqual([status]);
    expect(job.counters).toMatchObject(counters);
  });

  it('may shift a fire past the next one if skipPastNext is false', async () => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 0);
    every(60_000)
      .withJitter({ minMs: 70_000, maxMs: 70_000, skipPastNext: false })
      .withClock(clock)
      .run(work);
    await clock.advance(200_000);
    expect(begun).toEqual(['02:10', '03:10']);
  });

  it('that is negative makes a job fire early, but only once per scheduled time', async () => {
    const clock = startAtNoon('2026-01-01T11:59:00Z');
    const { begun, work } = takeMs(clock, 0);
    const job = cron('0 12 * * *').withJitter({ minMs: -10_000, maxMs: -10_000 }).withClock(clock).run(work);
    await clock.advance(3_600_000);
    expect(begun).toEqual(['59:50']);
    expect(job.history).toMatchObject([{ scheduledAt: new Date('2026-01-01T12:00:00Z'), jitterMs: -10_000 }]);
    expect(job.nextRunAt).toEqual(new Date('2026-01-02T11:59:50Z'));
  });

  it('that shifts a fire before the start of the job makes it fire immediately', async () => {
    const clock = startAtNoon('2026-01-01T11:59:55Z');
    const { begun, work } = takeMs(clock, 0);
    const jitter = { minMs: -40_000, maxMs: -40_000 };
    const job = cron('0 12 * * *').withJitter(jitter).withMisfire('skip').withClock(clock).run(work);
    await clock.advance(1_000);
    expect(begun).toEqual(['59:55']);
    expect(statusesOf(job)).toEqual(['succeeded']);
  });
});

it('a fire delayed by an earlier fire with a larger shift is not a misfire', async () => {
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

describe('the overlap policy', () => {
  it.each([
    ['skip', ['00.100'], ['skipped_overlap', 'skipped_overlap', 'succeeded']],
    ['queue', ['00.100', '00.400', '00.700'], ['succeeded', 'succeeded', 'succeeded']],
    ['replace', ['00.100', '00.200', '00.300'], ['cancelled', 'cancelled', 'succeeded']],
  ] as const)(
    '%s handles three fires, 100 ms apart, of work that takes 300 ms',
    async (policy, begins, statuses) => {
      const clock = startAtNoon();
      const { begun, work } = takeMs(clock, 300);
      const job = every(100).withOverlap(policy).withClock(clock).run(work);
      await clock.advance(300);
      job.pause();
      await clock.advance(1_000);
      expect(begun).toEqual(begins.map((time) => `00:${time}`));
      expect(statusesOf(job)).toEqual(statuses);
    },
  );

  it('queue runs fires in the order of the schedule', async () => {
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

  it('replace waits for work that ignores its signal, and counts it as cancelled', async () => {
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
    [2, 2, ['skipped_overlap']],
    [0, 3, []],
  ])('with maxOverlap %d runs %d of three fires at once', async (maxOverlap, running, statuses) => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 250);
    const job = every(100).withOverlap({ policy: 'skip', maxOverlap }).withClock(clock).run(work);
    await clock.advance(340);
    expect(statusesOf(job)).toEqual(statuses);
    expect(begun.length).toBe(running);
  });

  it('queue skips fires when the queue is full', async () => {
    const clock = startAtNoon();
    const { work } = takeMs(clock, 10_000);
    const job = every(100).withOverlap({ policy: 'queue', maxQueued: 2 }).withClock(clock).run(work);
    await clock.advance(500);
    expect(job.counters).toMatchObject({ runs: 1, skippedOverlap: 2 });
  });
});

describe('the misfire policy', () => {
  it.each([
    [30_000, 'succeeded'],
    [30_001, 'skipped_misfire'],
  ])('skip gives a fire that is %d ms late the status %s', async (lateMs, status) => {
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
  ] as const)('%s handles ten missed fires of a job that fires every minute', async (policy, counters) => {
    const clock = startAtNoon();
    const job = every(60_000)
      .withMisfire(policy)
      .withClock(clock)
      .run(() => 'ran');
    await clock.leap(10 * 60_000);
    expect(job.counters).toMatchObject({ ...counters, skippedOverlap: 0 });
    await clock.advance(60_000);
    expect(job.counters.runs).toBe(counters.runs + 1);
  });

  it.each<[Overlap, number, object]>([
    ['skip', 1, { runs: 10, skippedOverlap: 0 }],
    [{ policy: 'queue', maxQueued: 2 }, 1, { runs: 10, skippedOverlap: 0 }],
    [{ policy: 'skip', maxOverlap: 2 }, 2, { runs: 10, skippedOverlap: 0 }],
    ['replace', 1, { runs: 1, cancelled: 9 }],
  ])('fire_now catches up with overlap %j, running %d at once', async (overlap, atOnce, counters) => {
    const clock = startAtNoon();
    let running = 0;
    let most = 0;
    const job = every(60_000)
      .withMisfire('fire_now')
      .withOverlap(overlap)
      .withClock(clock)
      .run(async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
      });
    await clock.leap(10 * 60_000);
    expect(job.counters).toMatchObject(counters);
    expect(most).toBe(atOnce);
  });

  it('fire_now skips fires that come due while the job is catching up', async () => {
    const clock = startAtNoon();
    const { begun, work } = takeMs(clock, 150_000);
    const job = every(60_000).withMisfire('fire_now').withClock(clock).run(work);
    await clock.leap(2 * 60_000);
    await clock.advance(240_000);
    expect(begun).toEqual(['02:00', '04:30']);
    expect(job.counters).toMatchObject({ runs: 2, skippedOverlap: 4 });
  });

  it.each([1_001, 1_500])(
    'considers only the oldest and the latest thousand of %d missed fires',
    async (seconds) => {
      configureLogging({ level: 'silent' });
      onTestFinished(() => configureLogging());
      const clock = startAtNoon();
      const job = every(1_000)
        .withClock(clock)
        .run(() => 'ran');
      await clock.leap(seconds * 1_000);
      expect(job.counters).toMatchObject({ runs: 1, coalesced: 1_000 });
      expect(job.history[0]?.scheduledAt).toEqual(new Date(clock.now()));
    },
  );

  it('does not coalesce fires that jitter moves into the future, even after many missed fires', async () => {
    configureLogging({ level: 'silent' });
    onTestFinished(() => configureLogging());
    const clock = startAtNoon();
    const job = every(1_000)
      .withJitter({ minMs: 5_000, maxMs: 5_000, skipPastNext: false })
      .withClock(clock)
      .run(() => 'ran');
    await clock.leap(3_000_000);
    expect(job.history.map(({ scheduledAt }) => scheduledAt)).toEqual([new Date(clock.now() - 5_000)]);
  });

  it('does not consider every fire missed in years of sleep, and logs that', async () => {
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
    expect(lines).toEqual([expect.stringContaining('Too many fires were missed')]);
  });
});
