import { describe, expect, it } from 'vitest';
import { createCronSchedule } from '../../../src/scheduling/schedule/cron-schedule.js';
import { listUpcoming } from '../../../src/scheduling/schedule/schedule.js';

function upcoming(expression: string, timezone: string, after: string, count: number): string[] {
  const schedule = createCronSchedule(expression, { timezone });
  const dates = listUpcoming(schedule, { count }, { nowMs: Date.parse(after), anchorMs: 0 });
  return dates.map((date) => date.toISOString().replace(':00.000Z', 'Z'));
}

describe('a cron schedule', () => {
  it.each([
    [
      'fires strictly after the given time',
      '*/15 * * * *',
      'UTC',
      '2026-01-01T00:00:00Z',
      ['2026-01-01T00:15Z', '2026-01-01T00:30Z', '2026-01-01T00:45Z', '2026-01-01T01:00Z'],
    ],
    [
      'follows the time zone into daylight saving time',
      '0 9 * * MON-FRI',
      'America/New_York',
      '2026-03-06T15:00Z',
      ['2026-03-09T13:00Z'],
    ],
    [
      'follows the time zone out of daylight saving time',
      '0 9 * * MON-FRI',
      'America/New_York',
      '2026-10-30T14:00Z',
      ['2026-11-02T14:00Z'],
    ],
    [
      'fires right after a clock change that skips its time',
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T12:00Z',
      ['2026-03-08T07:00Z', '2026-03-09T06:30Z'],
    ],
    [
      'fires only once at a time that occurs twice',
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T12:00Z',
      ['2026-11-01T05:30Z', '2026-11-02T06:30Z'],
    ],
    [
      'fires only once at a named time in a repeated hour',
      '30 1,13 * * *',
      'America/New_York',
      '2026-10-31T18:00Z',
      ['2026-11-01T05:30Z', '2026-11-01T18:30Z', '2026-11-02T06:30Z'],
    ],
    [
      'fires at steps in both passes of a repeated hour',
      '*/30 * * * *',
      'America/New_York',
      '2026-11-01T04:50Z',
      [
        '2026-11-01T05:00Z',
        '2026-11-01T05:30Z',
        '2026-11-01T06:00Z',
        '2026-11-01T06:30Z',
        '2026-11-01T07:00Z',
      ],
    ],
    [
      'matches either the day of the month or the day of the week',
      '0 0 13 * FRI',
      'UTC',
      '2026-01-01T00:00Z',
      [
        '2026-01-02T00:00Z',
        '2026-01-09T00:00Z',
        '2026-01-13T00:00Z',
        '2026-01-16T00:00Z',
        '2026-01-23T00:00Z',
        '2026-01-30T00:00Z',
      ],
    ],
    ['finds leap days', '0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
    [
      'reads seconds from the sixth field',
      '* * * * * */20',
      'UTC',
      '2026-01-01T00:00:00Z',
      ['2026-01-01T00:00:20.000Z', '2026-01-01T00:00:40.000Z', '2026-01-01T00:01Z'],
    ],
    ['supports nicknames', '@daily', 'Asia/Tokyo', '2026-01-01T00:00Z', ['2026-01-01T15:00Z']],
    ['skips years without February 29', '0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T00:00Z']],
    [
      'ignores an impossible day of the month if a weekday is given',
      '0 0 30 2 MON',
      'UTC',
      '2026-01-01T00:00Z',
      ['2026-02-02T00:00Z'],
    ],
  ])('%s', (_behaviour, expression, timezone, after, expected) => {
    expect(upcoming(expression, timezone, after, Math.max(1, expected.length))).toEqual(expected);
  });

  it('returns the last fire at or before a time', () => {
    const schedule = createCronSchedule('*/15 * * * *');
    const last = (moment: string) => new Date(schedule.lastUntil(Date.parse(moment), 0) ?? 0).toISOString();
    expect(last('2026-01-01T00:15:00.000Z')).toBe('2026-01-01T00:15:00.000Z');
    expect(last('2026-01-01T00:15:00.001Z')).toBe('2026-01-01T00:15:00.000Z');
    expect(last('2026-01-01T00:14:59.999Z')).toBe('2026-01-01T00:00:00.000Z');
  });

  it('is shared by equal expressions with equal time zones', () => {
    expect(createCronSchedule('5 4 * * *')).toBe(createCronSchedule(' 5  4 * * * '));
    expect(createCronSchedule('5 4 * * *')).not.toBe(
      createCronSchedule('5 4 * * *', { timezone: 'Asia/Tokyo' }),
    );
  });

  it.each([
    '',
    '* * * *',
    '61 * * * *',
    'a b c d e',
    '* * * * * * *',
    '*/0 * * * *',
    '2026-01-01T00:00:00Z',
    '@never',
    '0 0 30 2 *',
    '0 0 31 4,6,9,11 *',
  ])('cannot be created from %j, which the error message names', (expression) => {
    expect(() => createCronSchedule(expression)).toThrow(
      expect.objectContaining({
        code: 'SCHEDULE_INVALID_CRON',
        message: expect.stringContaining(`'${expression}'`),
      }),
    );
  });

  it.each([
    ['0 0 32 * *', 'day: 32.'],
    ['0 0 0 * *', 'day: 0.'],
    ['0 0 1 13 *', 'month: 13.'],
    ['0 24 * * *', 'hour: 24.'],
    ['0 0 * * 8', 'dayOfWeek: 8.'],
  ])('cannot be created from %j, and the error quotes the value as it was written', (expression, value) => {
    expect(() => createCronSchedule(expression)).toThrow(`Invalid value for ${value}`);
  });

  it('cannot be created with its seconds first, and the error says where they belong', () => {
    expect(() => createCronSchedule('0 0 9 * * MON-FRI')).toThrow(/[^.] \(the seconds come last\)\.$/);
    expect(() => createCronSchedule('61 * * * *')).toThrow(/[^.)]\.$/);
  });

  it('cannot be created with an unknown time zone', () => {
    expect(() => createCronSchedule('* * * * *', { timezone: 'Mars/Olympus' })).toThrow(
      expect.objectContaining({ code: 'SCHEDULE_INVALID_TIMEZONE' }),
    );
  });
});
