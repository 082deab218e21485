import { casual } from 'chrono-node';
import type { PlanContext } from '../plan-context.js';

/** A date or a span of time found in a text. */
export interface DateMention {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly from: CalendarTime;
  readonly to?: CalendarTime;
}

/** A day in the person's time zone, and the instant. */
export interface CalendarTime {
  /** `2026-01-31`. */
  readonly date: string;
  /** ISO 8601 in UTC. */
  readonly instant: string;
}

/** Minutes east of UTC of a time zone at an instant. */
export function zoneOffsetMinutes(timezone: string, instant: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    timeZoneName: 'longOffset',
  }).formatToParts(instant);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name);
  if (!match) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

type Components = ReturnType<typeof casual.parse>[number]['start'];

const pad = (value: number | null, length = 2) => String(value ?? 0).padStart(length, '0');

/** A day without an hour begins at midnight on the person's clock. */
const calendarTime = (components: Components, offsetMinutes: number): CalendarTime => {
  const date = `${pad(components.get('year'), 4)}-${pad(components.get('month'))}-${pad(components.get('day'))}`;
  const midnight = new Date(Date.parse(`${date}T00:00:00Z`) - offsetMinutes * 60_000);
  return { date, instant: (components.isCertain('hour') ? components.date() : midnight).toISOString() };
};

/** Texts that are dates only by accident. */
const accidental =
  /^(?:now|second|sec|min|h|m|s|\d{1,4}(?:[.:]\d{1,2})?|at \d+|[ap]m|\d+ (?:to|-|–) \d+|this|last|next)$/i;
/** Words that are names of a day or month only after a word like "since". */
const ambiguous = /^(?:may|march|mar|sat|sun|wed|jan|dec)$/i;
const dateCue = /\b(?:since|in|from|after|before|until|till|during|last|next|this|between|and|to|by|on)\s+$/i;

const yearPattern = /(?<=\b(?:since|in|from|after|before|until|during)\s)((?:19|20)\d{2})\b(?![-/.])/gi;

/** Plain calendar dates without a time. The library takes "2026-01-01 until ..." for a time of day. */
const isoPattern = /(?<![\w-])(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?![\w-])(?!\s*(?:at\s+)?\d)/g;

function isoMentions(text: string, offsetMinutes: number): DateMention[] {
  return [...text.matchAll(isoPattern)].map((match) => {
    const midnight = new Date(Date.parse(`${match[0]}T00:00:00Z`) - offsetMinutes * 60_000);
    const time = { date: match[0], instant: midnight.toISOString() };
    return { start: match.index, end: match.index + match[0].length, text: match[0], from: time };
  });
}

function yearMentions(text: string): DateMention[] {
  return [...text.matchAll(yearPattern)].map((match) => {
    const time = { date: `${match[0]}-01-01`, instant: `${match[0]}-01-01T00:00:00.000Z` };
    return { start: match.index, end: match.index + match[0].length, text: match[0], from: time };
  });
}

/** Finds dates ("since 2026-01-01", "last week", "3 days ago", "yesterday") as seen from the person's own clock. */
export function dateMentions(
  text: string,
  { now, timezone }: Pick<PlanContext, 'now' | 'timezone'>,
): DateMention[] {
  const instant = new Date(now);
  const reference = { instant, timezone: zoneOffsetMinutes(timezone, instant) };
  const iso = isoMentions(text, reference.timezone);
  const rest = text.replaceAll(isoPattern, (date) => ' '.repeat(date.length));
  const found = casual
    .parse(rest, reference)
    .filter(
      ({ text: found, index }) =>
        !accidental.test(found) && (!ambiguous.test(found) || dateCue.test(text.slice(0, index))),
    )
    .map(({ index, text: matched, start, end }) => ({
      start: index,
      end: index + matched.length,
      text: matched,
      from: calendarTime(start, reference.timezone),
      ...(end ? { to: calendarTime(end, reference.timezone) } : {}),
    }));
  const years = yearMentions(rest).filter(
    (year) => !found.some((each) => each.start <= year.start && year.end <= each.end),
  );
  return [...iso, ...found, ...years].toSorted((a, b) => a.start - b.start);
}
