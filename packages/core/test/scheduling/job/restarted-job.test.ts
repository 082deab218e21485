import { describe, expect, it } from 'vitest';
import { MemoryScheduleStore } from '../../../src/scheduling/store/memory-schedule-store.js';
import { at, every } from '../../../src/scheduling/schedules.js';
import { startAtNoon, statusesOf, timeOf } from '../scheduled-work.js';

describe('a restarted job', () => {
  it.each([
    ['skip', ['succeeded', 'skipped_misfire', 'skipped_misfire', 'skipped_misfire', 'succeeded'], 1],
    ['fire_now', ['succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded'], 4],
    ['coalesce', ['succeeded', 'succeeded'], 1],
  ] as const)(
    'handles fires missed while it was down as the misfire policy %s says',
    async (misfire, expected, runs) => {
      const store = new MemoryScheduleStore();
      const first = startAtNoon();
      const builder = every(60_000)
        .withName('digest')
        .withStore(store)
        .withMisfire(misfire)
        .withOverlap('queue');
      const before = builder.withClock(first).run(() => 'ran');
      await first.advance(60_000);
      await before.stop();
      const later = startAtNoon('2026-01-01T12:05:20Z');
      const after = builder.withClock(later).run(() => 'ran');
      await later.advance(0);
      expect(after.history.map(({ status }) => status)).toEqual(expected);
      expect(after.counters.runs).toBe(runs);
      expect(timeOf(after.nextRunAt)).toBe('06:00');
    },
  );

  it('continues to count intervals from its first start', async () => {
    const store = new MemoryScheduleStore();
    const builder = every(60_000).withName('digest').withStore(store);
    const first = startAtNoon('2026-01-01T12:00:07Z');
    const before = builder.withClock(first).run(() => 'ran');
    await first.advance(0);
    await before.stop();
    const later = startAtNoon('2026-01-01T12:00:30Z');
    const after = builder.withClock(later).run(() => 'ran');
    await later.advance(0);
    expect(timeOf(after.nextRunAt)).toBe('01:07');
  });

  it('does not catch up on missed fires if its schedule has changed', async () => {
    const store = new MemoryScheduleStore();
    const first = startAtNoon();
    const before = every(60_000)
      .withName('digest')
      .withStore(store)
      .withClock(first)
      .run(() => 'ran');
    await first.advance(60_000);
    await before.stop();
    const later = startAtNoon('2026-01-01T15:00:00Z');
    const after = every(30_000)
      .withName('digest')
      .withStore(store)
      .withClock(later)
      .run(() => 'ran');
    await later.advance(30_000);
    expect(after.counters).toMatchObject({ runs: 1, coalesced: 0 });
  });

  it('does not repeat an at() that has fired, and fires one missed while it was down', async () => {
    const builder = at(new Date('2026-01-01T12:01:00Z')).withName('digest');
    const done = new MemoryScheduleStore();
    const first = startAtNoon();
    await using before = builder
      .withStore(done)
      .withClock(first)
      .run(() => 'ran');
    await first.advance(60_000);
    await before.finished;
    const again = builder
      .withStore(done)
      .withClock(startAtNoon('2026-01-01T13:00:00Z'))
      .run(() => 'ran');
    await again.finished;
    expect([again.status, again.counters.runs]).toEqual(['finished', 0]);

    const missed = new MemoryScheduleStore();
    const early = startAtNoon();
    const dead = builder
      .withStore(missed)
      .withClock(early)
      .run(() => 'ran');
    await early.advance(0);
    await dead.stop();
    const late = startAtNoon('2026-01-01T13:00:00Z');
    const caught = builder
      .withStore(missed)
      .withClock(late)
      .run(() => 'ran');
    await late.advance(0);
    expect(statusesOf(caught)).toEqual(['succeeded']);
  });

  it('continues to count runs towards maxRuns, and shows the earlier history', async () => {
    const store = new MemoryScheduleStore();
    const builder = every(60_000).withName('digest').withStore(store).withMaxRuns(3);
    const first = startAtNoon();
    const before = builder.withClock(first).run(() => Promise.reject(new TypeError('no paper')));
    await first.advance(120_000);
    await before.stop();
    const later = startAtNoon('2026-01-01T12:02:30Z');
    const after = builder.withClock(later).run(() => 'ran');
    await later.advance(600_000);
    expect(after.status).toBe('finished');
    expect(statusesOf(after)).toEqual(['failed', 'failed', 'succeeded']);
    expect(after.history[0]?.error).toMatchObject({
      code: 'SCHEDULE_RUN_FAILED',
      message: 'no paper',
      details: { name: 'TypeError' },
    });
    expect(after.counters).toMatchObject({ runs: 1, failed: 0 });
  });
});
