import type { PlanContext } from '../../plan-context.js';
import { dateMentions, type DateMention } from './date-mentions.js';
import { jsonMentions } from './json-mentions.js';
import { mentionPatterns, type MentionKind, type MentionReading } from './mention-patterns.js';

/** A part of a text that can be the value of an argument. */
export interface Mention extends Omit<MentionReading, 'length'> {
  readonly kind: MentionKind;
  readonly start: number;
  readonly end: number;
}

/** All that a text names. */
export interface Mentions {
  readonly all: readonly Mention[];
  readonly dates: readonly DateMention[];
}

/** A range of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whether two ranges share a character. */
export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** A text with each range replaced by as many fillers, so that positions stay. */
export const maskSpans = (text: string, spans: readonly Span[], filler: string): string =>
  spans.reduce(
    (left, { start, end }) => `${left.slice(0, start)}${filler.repeat(end - start)}${left.slice(end)}`,
    text,
  );

/** Kinds that may overlap a date: "the last 3 days" is a date as well as 3 days. */
const insideDates = new Set<MentionKind>(['number', 'code', 'proper', 'folder']);

/** Finds everything a text names: quotations, paths, numbers, dates and so on, each part once. */
export function findMentions(text: string, clock: Pick<PlanContext, 'now' | 'timezone'>): Mentions {
  const all: Mention[] = jsonMentions(text).map((each) => ({ kind: 'json', ...each }));
  for (const { kind, pattern, read } of mentionPatterns) {
    for (const match of text.matchAll(pattern)) {
      const { length = match[0].length, ...reading } = read(match);
      const mention: Mention = { kind, start: match.index, end: match.index + length, ...reading };
      if (mention.value !== '' && !all.some((each) => overlaps(each, mention))) all.push(mention);
    }
  }
  const dates = dateMentions(text, clock);
  return {
    all: all.toSorted((a, b) => a.start - b.start),
    dates: dates.filter((date) => !all.some((each) => !insideDates.has(each.kind) && overlaps(each, date))),
  };
}
