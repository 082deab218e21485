import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ScheduleBuilder } from '../../src/scheduling/schedule-builder.js';
import { createIntervalSchedule } from '../../src/scheduling/schedule/interval-schedule.js';
import { MemoryScheduleStore } from '../../src/scheduling/store/memory-schedule-store.js';
import { at, cron, every } from '../../src/scheduling/schedules.js';
import { startAtNoon, timeOf } from './scheduled-work.js';

describe('a schedule builder', () => {
  it('returns a new builder from each step', async () => {
    const clock = startAtNoon();
    const base = every(60_000).withClock(clock);
    const once = base.withMaxRuns(1);
    const [plain, limited] = [base.run(() => 'ran'), once.run(() => 'ran')];
    await clock.advance(180_000);
    expect([plain.counters.runs, limited.counters.runs]).toEqual([3, 1]);
  });

  it('lists upcoming fires without creating a job', () => {
    const clock = startAtNoon();
    expect(every(90_000).withClock(clock).upcoming(3).map(timeOf)).toEqual(['01:30', '03:00', '04:30']);
    expect(cron('0 9 * * *').upcoming(1, { after: new Date('2026-05-01T10:00Z') })).toEqual([
      new Date('2026-05-02T09:00Z'),
    ]);
    expect(at(new Date('2026-01-01T13:00Z')).withClock(clock).upcoming(5)).toEqual([
      new Date('2026-01-01T13:00Z'),
    ]);
  });

  it('passes the fire and the arguments of invoke() to its target, and the job to onStart', async () => {
    const clock = startAtNoon();
    const schedule = createIntervalSchedule(1_000);
    const started: unknown[] = [];
    const builder = new ScheduleBuilder(schedule, {
      invoke: (fire, question: string, loud?: boolean) => `${question} ${String(loud)} ${fire.attempt}`,
      onStart: (made) => void started.push(made),
    });
    const job = builder.withClock(clock).invoke('why?', true);
    await clock.advance(1_000);
    expect(job.history).toMatchObject([{ result: 'why? true 1' }]);
    expect(started).toEqual([job]);
  });

  it('keeps the ended fires of a job without a store only in its history', async () => {
    const clock = startAtNoon();
    const save = vi.spyOn(MemoryScheduleStore.prototype, 'save');
    onTestFinished(() => save.mockRestore());
    const job = every(1_000)
      .withClock(clock)
      .withHistory(1)
      .run(() => 'ran');
    await clock.advance(3_000);
    expect(job.history).toHaveLength(1);
    const store = save.mock.contexts[0] as MemoryScheduleStore;
    expect(await store.history(job.name, 10)).toEqual([]);
  });

  it('treats an option that is null as absent', () => {
    const store = new MemoryScheduleStore();
    const schedule = every(1_000, { startAt: null } as never).withStore(store, { leaseMs: null } as never);
    expect(schedule.upcoming(1, { after: null } as never)).toHaveLength(1);
  });

  it('shifts the fires of all jobs with one seed alike, also of those with a store', async () => {
    const clock = startAtNoon();
    const builder = every(60_000).withClock(clock).withJitter({ minMs: 0, maxMs: 50_000, seed: 'shared' });
    const jobs = ['one', 'other'].map((name) =>
      builder
        .withName(name)
        .withStore(new MemoryScheduleStore())
        .run(() => {}),
    );
    await clock.advance(0);
    expect(jobs[0]?.nextRunAt).toBeDefined();
    expect(jobs[0]?.nextRunAt).toEqual(jobs[1]?.nextRunAt);
  });

  it.each([undefined, null])('keeps an earlier setting when an option is %s', async (none) => {
    const clock = startAtNoon();
    const fired: string[] = [];
    const base = every(60_000)
      .withClock(clock)
      .withCallbacks({ onFire: ({ jobName }) => void fired.push(jobName) });
    const jobs = [{}, { seed: none }].map((seed) =>
      base
        .withName('digest')
        .withStore(new MemoryScheduleStore())
        .withJitter({ minMs: 0, maxMs: 50_000, ...(seed as object) })
        .withCallbacks({ onFire: none } as never)
        .run(() => {}),
    );
    await clock.advance(0);
    expect(jobs[0]?.nextRunAt).toBeDefined();
    expect(jobs[0]?.nextRunAt).toEqual(jobs[1]?.nextRunAt);
    await clock.advance(119_999);
    expect(fired).toEqual(['digest', 'digest']);
    await Promise.all(jobs.map((job) => job.stop()));
  });

  it('names a job after its schedule if it was given no name', () => {
    const clock = startAtNoon();
    const names = [1, 2].map(
      () =>
        cron('0 9 * * *', { timezone: 'Asia/Tokyo' })
          .withClock(clock)
          .run(() => {}).name,
    );
    expect(names[0]).toMatch(/^cron 0 9 \* \* \* Asia\/Tokyo #\d+$/);
    expect(new Set(names).size).toBe(2);
  });

  it('lists the known options where one is misspelled', () => {
    expect(() => every(1000, { jiter: 5 } as never)).toThrow(
      /^Invalid options for .*\. Unknown option 'jiter'\. Known options: startAt$/,
    );
  });

  it.each([
    ['an unknown option of cron', () => cron('* * * * *', { tz: 'UTC' } as never), 'SCHEDULE_INVALID_OPTION'],
    ['an unknown option of every', () => every(1000, { jiter: 5 } as never), 'SCHEDULE_INVALID_OPTION'],
    ['a startAt that is a string', () => every(1000, { startAt: 'now' } as never), 'SCHEDULE_INVALID_OPTION'],
    ['an expression that is not a string', () => cron(5 as never), 'SCHEDULE_INVALID_CRON'],
    [
      'a misspelled callback',
      () => every(1).withCallbacks({ onSucces() {} } as never),
      'SCHEDULE_INVALID_OPTION',
    ],
    [
      'a callback that is not a function',
      () => every(1).withCallbacks({ onFire: 5 } as never),
      'SCHEDULE_INVALID_OPTION',
    ],
    [
      'a store without the methods of a store',
      () => every(1).withStore({} as never),
      'SCHEDULE_INVALID_OPTION',
    ],
    [
      'a clock without the methods of a clock',
      () => every(1).withClock(Date as never),
      'SCHEDULE_INVALID_OPTION',
    ],
    ['an at() that is a string', () => at('2026-01-01' as never), 'SCHEDULE_INVALID_DATE'],
    ['a maxRuns of 0', () => every(1).withMaxRuns(0), 'SCHEDULE_INVALID_OPTION'],
    ['a blank name', () => every(1).withName(' '), 'SCHEDULE_INVALID_OPTION'],
    ['an unknown overlap policy', () => every(1).withOverlap('maybe' as never), 'SCHEDULE_INVALID_OPTION'],
    [
      'a lease too short to be renewed',
      () => every(1).withStore(new MemoryScheduleStore(), { leaseMs: 5 }),
      'SCHEDULE_INVALID_OPTION',
    ],
    [
      'an unknown option of withStore',
      () => every(1).withStore(new MemoryScheduleStore(), { lease: 500 } as never),
      'SCHEDULE_INVALID_OPTION',
    ],
    ['more fires than can be listed', () => every(1).upcoming(20_000), 'SCHEDULE_INVALID_OPTION'],
    ['a count that is NaN', () => every(1).upcoming(Number.NaN), 'SCHEDULE_INVALID_OPTION'],
    [
      'an `after` that is a string',
      () => every(1).upcoming(1, { after: '2026-01-01' } as never),
      'SCHEDULE_INVALID_OPTION',
    ],
    [
      'an unknown option of upcoming',
      () => every(1).upcoming(1, { from: 5 } as never),
      'SCHEDULE_INVALID_OPTION',
    ],
    ['a count given twice', () => every(1).upcoming(3, { count: 5 } as never), 'SCHEDULE_INVALID_OPTION'],
    [
      'a store without a name',
      () =>
        every(1)
          .withStore(new MemoryScheduleStore())
          .run(() => {}),
      'SCHEDULE_NAME_MISSING',
    ],
    ['work that is not a function', () => every(1).run('work' as never), 'SCHEDULE_INVALID_WORK'],
    [
      'invoke() of a schedule without an agent',
      () => (every(1) as never as { invoke(): void }).invoke(),
      'SCHEDULE_NOTHING_TO_INVOKE',
    ],
  ])('refuses %s', (_what, build, code) => {
    expect(build).toThrow(expect.objectContaining({ code }));
  });
});
