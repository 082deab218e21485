import { describe, expect, it } from 'vitest';
import { createIntervalSchedule } from '../../../src/scheduling/schedule/interval-schedule.js';

const anchorMs = Date.parse('2026-01-01T00:00:00Z');
const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);

describe('intervals', () => {
  it.each([
    ['00:00:00', '00:01:30'],
    ['00:01:29.999', '00:01:30'],
    ['00:01:30', '00:03:00'],
  ])('of 90 s fire after %s at %s', (after, expected) => {
    expect(createIntervalSchedule(90_000).nextAfter(at(after), anchorMs)).toBe(at(expected));
  });

  it('are counted from startAt, and the first fire is one interval after it', () => {
    const schedule = createIntervalSchedule(60_000, { startAt: new Date(at('12:00:30')) });
    expect(schedule.nextAfter(at('00:00'), anchorMs)).toBe(at('12:01:30'));
    expect(schedule.lastUntil(at('12:01:29'), anchorMs)).toBeUndefined();
    expect(schedule.lastUntil(at('12:05:00'), anchorMs)).toBe(at('12:04:30'));
  });

  it.each([1_000 / 3, 60_000 / 7, 1.1])(
    'of %d ms fire at a later whole millisecond each time',
    (intervalMs) => {
      const schedule = createIntervalSchedule(intervalMs);
      let fireMs = anchorMs;
      for (let count = 1; count <= 1_000; count += 1) {
        expect(schedule.lastUntil(fireMs, anchorMs)).toBe(count === 1 ? undefined : fireMs);
        fireMs = schedule.nextAfter(fireMs, anchorMs) ?? Number.NaN;
        expect(fireMs).toBe(anchorMs + Math.round(count * intervalMs));
      }
    },
  );

  it('with different values of startAt have different definitions', () => {
    const starts = [undefined, new Date(1), new Date(2)];
    const definitions = starts.map((startAt) => createIntervalSchedule(60_000, { startAt }).definition);
    expect(new Set(definitions).size).toBe(3);
  });

  it('end at the largest date that JavaScript can represent', () => {
    const schedule = createIntervalSchedule(5e15);
    expect(schedule.nextAfter(anchorMs, anchorMs)).toBe(anchorMs + 5e15);
    expect(schedule.nextAfter(anchorMs + 5e15, anchorMs)).toBeUndefined();
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300])('cannot be %d ms long', (intervalMs) => {
    expect(() => createIntervalSchedule(intervalMs)).toThrow(
      expect.objectContaining({
        code: 'SCHEDULE_INVALID_INTERVAL',
        message: `every(): intervalMs must be from 1 to 8640000000000000, got ${intervalMs}.`,
      }),
    );
  });

  it.each([
    [{ intervalMs: 1_000 }, 'object'],
    ['1000', 'string'],
    [null, 'null'],
  ])('cannot have %j as their length', (intervalMs, kind) => {
    // @ts-expect-error it does not compile
    expect(() => createIntervalSchedule(intervalMs)).toThrow(`got ${kind}.`);
  });

  it('cannot have an invalid date as startAt', () => {
    expect(() => createIntervalSchedule(1_000, { startAt: new Date('soon') })).toThrow(
      expect.objectContaining({ code: 'SCHEDULE_INVALID_DATE' }),
    );
  });
});
