import { describe, expect, it } from 'vitest';
import { dateMentions, zoneOffsetMinutes } from '../../../src/planning/offline/date-mentions.js';

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
  ])('%s', (text, expected) => {
    expect(dates(text)).toEqual(expected);
  });

  it('are days on the person’s own clock', () => {
    expect(dates('today', 'Asia/Tokyo', '2026-03-18T20:00:00.000Z')).toEqual(['2026-03-19']);
    expect(dates('today', 'America/New_York', '2026-03-18T02:00:00.000Z')).toEqual(['2026-03-17']);
  });

  it('begin at midnight there when no hour is said', () => {
    const [date] = dateMentions('on 2026-04-01', { now: '2026-03-18T10:00:00Z', timezone: 'Asia/Tokyo' });
    expect(date?.from.instant).toBe('2026-03-31T15:00:00.000Z');
  });

  it.each([
    ['UTC', 0],
    ['Asia/Kolkata', 330],
    ['America/New_York', -240],
  ])('knows the offset of %s', (zone, minutes) => {
    expect(zoneOffsetMinutes(zone, new Date('2026-07-01T00:00:00Z'))).toBe(minutes);
  });
});
