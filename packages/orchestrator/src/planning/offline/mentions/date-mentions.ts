import { casual } from 'chrono-node';
import type { PlanContext } from '../../plan-context.js';

/** A date or a span of time found in a text. */
export interface DateMention {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly from: CalendarTime;
  readonly to?: CalendarTime;
}

/** A day in the user's time zone, and the instant. */
export interface CalendarTime {
  /** `2026-01-31`. */
  readonly date: string;
  /** ISO 8601 in UTC. */
  readonly instant: string;
}

/**
 * Returns a function for a time zone's offset in minutes east of UTC at an instant. It varies, mostly by daylight
 * saving.
 */
export function zoneOffsets(timezone: string): (instant: Date) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  return (instant) => {
    const parts = format.formatToParts(instant);
    const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
    const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name);
    if (!match) return 0;
    return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
  };
}

/** Converts a clock time in a time zone to an instant. */
type ClockReader = (date: string, time?: string) => string;

function clockOf(offsetAt: (instant: Date) => number): ClockReader {
  return (date, time = '00:00:00') => {
    const shown = Date.parse(`${date}T${time}Z`);
    const near = new Date(shown - offsetAt(new Date(shown)) * 60_000);
    return new Date(shown - offsetAt(near) * 60_000).toISOString();
  };
}

type Components = ReturnType<typeof casual.parse>[number]['start'];

const pad = (value: number | null, length = 2) => String(value ?? 0).padStart(length, '0');

const dateOf = (components: Components) =>
  `${pad(components.get('year'), 4)}-${pad(components.get('month'))}-${pad(components.get('day'))}`;

/** "In 10000 years" has no date with a four-digit year. */
const hasDate = (components: Components | null | undefined) =>
  !components || !Number.isNaN(Date.parse(`${dateOf(components)}T00:00:00Z`));

/** A day without an hour begins at midnight in the user's time zone. */
function calendarTime(
  components: Components,
  readClock: ClockReader,
  date = dateOf(components),
): CalendarTime {
  if (!components.isCertain('hour')) return { date, instant: readClock(date) };
  // A time with its own time zone is taken as it is.
  if (components.isCertain('timezoneOffset')) return { date, instant: components.date().toISOString() };
  const [hour, minute, second] = (['hour', 'minute', 'second'] as const).map((name) =>
    pad(components.get(name)),
  );
  return { date, instant: readClock(date, `${hour}:${minute}:${second}`) };
}

/** "Since Friday" means the last Friday, even if the next is nearer: the span began in the past. */
function pastTime(components: Components, readClock: ClockReader, now: Date): CalendarTime {
  const time = calendarTime(components, readClock);
  if (Date.parse(time.instant) <= now.getTime() || components.isCertain('year')) return time;
  const day = new Date(`${time.date}T00:00:00Z`);
  if (components.isCertain('month')) day.setUTCFullYear(day.getUTCFullYear() - 1);
  else day.setUTCDate(day.getUTCDate() - (components.isCertain('weekday') ? 7 : 1));
  return calendarTime(components, readClock, day.toISOString().slice(0, 10));
}

/** Texts that only look like dates. */
const accidental =
  /^(?:now|second|sec|min|h|m|s|\d{1,4}(?:[.:]\d{1,2})?|at \d+|[ap]m|\d+ (?:to|-|–) \d+|this|last|next)$/i;
/** Words that mean a day or month only after a word like "since". */
const ambiguous = /^(?:may|march|mar|sat|sun|wed|jan|dec)$/i;
const dateCue = /\b(?:since|in|from|after|before|until|till|during|last|next|this|between|and|to|by|on)\s+$/i;

const sinceCue = /\bsince\s+$/i;

/** Words about the future: "create a meeting on Friday" means the next one, even if the last is nearer. */
const planCue =
  /\b(?:create|schedule|reschedule|book|plan|add|arrange|reserve|remind|postpone|invite|will|going to|upcoming|due|(?:do|am|are) (?:i|we))\b/i;

const yearPattern = /(?<=\b(?:since|in|from|after|before|until|during)\s)((?:19|20)\d{2})\b(?![-/.])/gi;

/** Calendar dates without a time, because the library reads "2026-01-01 until ..." as a time of day. */
const isoPattern = /(?<![\w-])(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?![\w-])(?!\s*(?:at\s+)?\d)/g;

function isoMentions(text: string, readClock: ClockReader): DateMention[] {
  return [...text.matchAll(isoPattern)].map((match) => {
    const time = { date: match[0], instant: readClock(match[0]) };
    return { start: match.index, end: match.index + match[0].length, text: match[0], from: time };
  });
}

function yearMentions(text: string, readClock: ClockReader): DateMention[] {
  return [...text.matchAll(yearPattern)].map((match) => {
    const date = `${match[0]}-01-01`;
    const time = { date, instant: readClock(date) };
    return { start: match.index, end: match.index + match[0].length, text: match[0], from: time };
  });
}

/** Finds dates ("since 2026-01-01", "last week", "3 days ago", "yesterday") relative to the user's local time. */
export function dateMentions(
  text: string,
  { now, timezone }: Pick<PlanContext, 'now' | 'timezone'>,
): DateMention[] {
  const instant = new Date(now);
  const offsetAt = zoneOffsets(timezone);
  const readClock = clockOf(offsetAt);
  const reference = { instant, timezone: offsetAt(instant) };
  const iso = isoMentions(text, readClock);
  const rest = text.replaceAll(isoPattern, (date) => ' '.repeat(date.length));
  const found = casual
    .parse(rest, reference, { forwardDate: planCue.test(rest) })
    .filter(({ start, end }) => hasDate(start) && hasDate(end))
    .filter(
      ({ text: found, index }) =>
        !accidental.test(found) && (!ambiguous.test(found) || dateCue.test(text.slice(0, index))),
    )
    .map(({ index, text: matched, start, end }) => ({
      start: index,
      end: index + matched.length,
      text: matched,
      from: sinceCue.test(rest.slice(0, index))
        ? pastTime(start, readClock, instant)
        : calendarTime(start, readClock),
      ...(end ? { to: calendarTime(end, readClock) } : {}),
    }));
  const years = yearMentions(rest, readClock).filter(
    (year) => !found.some((each) => each.start <= year.start && year.end <= each.end),
  );
  return [...iso, ...found, ...years].toSorted((a, b) => a.start - b.start);
}
