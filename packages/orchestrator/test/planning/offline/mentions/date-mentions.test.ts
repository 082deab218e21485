import { describe, expect, it } from 'vitest';
import { dateMentions, zoneOffsets } from '../../../../src/planning/offline/mentions/date-mentions.js';

const dates = (text: string, timezone = 'UTC', now = '2026-03-18T10:00:00.000Z') =>
  dateMentions(text, { now, timezone }).map(({ from, to }) => (to ? `${from.date}..${to.date}` : from.date));

describe('dateMentions', () => {
  it.each([
    ['since 2026-01-01', ['2026-01-01']],
    ['last week', ['2026-03-11']],
    ['in the last 3 days', ['2026-03-15']],
    ['yesterday and today', ['2026-03-17', '2026-03-18']],
    ['since March', ['2026-03-01']],
    ['since 2025', ['2025-01-01']],
    ['between 2026-01-01 and 2026-02-01', ['2026-01-01', '2026-02-01']],
    ['from January 5 to January 9', ['2026-01-05..2026-01-09']],
    ['the last 3 commits, version 4.5, lines 10 to 20 that may change', []],
  ])('finds the dates in: %s', (text, expected) => {
    expect(dates(text)).toEqual(expected);
  });

  it('takes the current day from the user’s time zone', () => {
    expect(dates('today', 'Asia/Tokyo', '2026-03-18T20:00:00.000Z')).toEqual(['2026-03-19']);
    expect(dates('today', 'America/New_York', '2026-03-18T02:00:00.000Z')).toEqual(['2026-03-17']);
  });

  it('starts a day at midnight in the user’s time zone if no time is given', () => {
    const [date] = dateMentions('on 2026-04-01', { now: '2026-03-18T10:00:00Z', timezone: 'Asia/Tokyo' });
    expect(date?.from.instant).toBe('2026-03-31T15:00:00.000Z');
  });

  it.each([
    // On the day of the request, Berlin is still on winter time.
    ['on 2026-07-01', '2026-06-30T22:00:00.000Z'],
    ['since July 1 2025', '2025-06-30T22:00:00.000Z'],
    ['on July 1 at 14:00', '2026-07-01T12:00:00.000Z'],
    ['on July 1 at 14:00 UTC', '2026-07-01T14:00:00.000Z'],
    ['since 2025', '2024-12-31T23:00:00.000Z'],
    ['3 hours ago', '2026-03-18T07:00:00.000Z'],
  ])('uses the UTC offset that applies on the date itself: %s', (text, instant) => {
    const [date] = dateMentions(text, { now: '2026-03-18T10:00:00Z', timezone: 'Europe/Berlin' });
    expect(date?.from.instant).toBe(instant);
  });

  it.each([
    ['since Friday', '2026-03-13'],
    ['since Tuesday', '2026-03-17'],
    ['since August', '2025-08-01'],
    ['since April 1', '2025-04-01'],
    ['since 5pm', '2026-03-17'],
    ['since midnight', '2026-03-18'],
    ['since August 2026', '2026-08-01'],
    ['on Friday', '2026-03-20'],
  ])('prefers a past date after "since", unless a year is given: %s is %s', (text, expected) => {
    expect(dates(text)).toEqual([expected]);
  });

  it.each([
    ['Create a meeting "Budget" on Monday at 10', '2026-03-23'],
    ['Do I have a meeting on Tuesday?', '2026-03-24'],
    ['Will it rain on Monday?', '2026-03-23'],
    ['Book a room for February 3', '2027-02-03'],
    ['Plan a trip since last Monday', '2026-03-16'],
    ['Who changed it on Monday?', '2026-03-16'],
    ['the commits of Monday', '2026-03-16'],
  ])('chooses a past or a future date by what the request says: %s (%s)', (text, expected) => {
    expect(dates(text)).toEqual([expected]);
  });

  it.each(['in 10000 years', '99999 years ago', 'in 300000 years'])(
    'ignores a date beyond the range of Date: %s',
    (text) => {
      expect(dates(text)).toEqual([]);
    },
  );

  it.each([
    ['UTC', 0],
    ['Asia/Kolkata', 330],
    ['America/New_York', -240],
  ])('knows the UTC offset of %s', (zone, minutes) => {
    expect(zoneOffsets(zone)(new Date('2026-07-01T00:00:00Z'))).toBe(minutes);
  });
});
