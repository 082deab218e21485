import type { JsonObject } from '@svc/contracts';
import type { FillScope } from './fill-scope.js';
import type { Mention } from '../mentions/mentions.js';
import type { Argument } from '../tools/tool-profile.js';
import { ideasOf, ideasOfTyped } from '../language/concepts.js';
import { isSameIdea, splitWords } from '../language/words.js';

const numberOf = (mention: Mention) => Number(mention.value);

/** How many characters before a mention are searched for words that belong to it. */
const maxLookBehind = 200;
const lastWords = new WeakMap<Mention, { readonly text: string; readonly words: readonly string[] }>();

/** The words right before a mention. Cached, because every argument asks for them. */
function wordsBefore(mention: Mention, text: string, count: number): readonly string[] {
  const known = lastWords.get(mention);
  if (known?.text === text) return known.words.slice(-count);
  const words = splitWords(text.slice(Math.max(0, mention.start - maxLookBehind), mention.start));
  lastWords.set(mention, { text, words });
  return words.slice(-count);
}

const isArgumentWord = (word: string, argument: Argument) =>
  argument.words.some((name) => isSameIdea(name, { word, ideas: ideasOf(word) }));

const limitCues = new Set([
  'top',
  'first',
  'last',
  'latest',
  'only',
  'limit',
  'max',
  'newest',
  'recent',
  'most',
]);

const currencies = new Set([
  'eur',
  'usd',
  'gbp',
  'chf',
  'euro',
  'euros',
  'dollar',
  'dollars',
  'pound',
  'pounds',
  'cents',
]);
const moneyWords = new Set(['amount', 'price', 'total', 'cost', 'fee', 'budget', 'value', 'sum']);

const isMoney = (argument: Argument) => argument.words.some(({ word }) => moneyWords.has(word));

/** Which end of a range an argument is, as in "from 10 to 20". */
export function rangeEnd(argument: Argument): 'from' | 'to' | undefined {
  const words = splitWords(argument.name);
  if (words.some((word) => ['from', 'source', 'start', 'min', 'minimum', 'first', 'begin'].includes(word)))
    return 'from';
  return words.some((word) => ['to', 'target', 'end', 'max', 'maximum', 'last', 'until'].includes(word))
    ? 'to'
    : undefined;
}

/** Neighboring numbers joined by a word that makes them a range. */
function rangesIn(
  { clause: { text, mentions } }: FillScope,
  joint: RegExp,
): { from: Mention; to: Mention }[] {
  const numbers = mentions.all.filter((each) => each.kind === 'number');
  return numbers.flatMap((from, index) => {
    const to = numbers[index + 1];
    return to && joint.test(text.slice(from.end, to.start)) ? [{ from, to }] : [];
  });
}

function rangeValue(argument: Argument, scope: FillScope): Mention | undefined {
  const end = rangeEnd(argument);
  return end && rangesIn(scope, /^\s*(?:to|until|-|–|through|and)\s*$/i)[0]?.[end];
}

/** The number of an ordinary numeric argument: one next to its name, one with its unit, or the only one. */
export function numberFor(argument: Argument, scope: FillScope): number | undefined {
  const ranged = rangeValue(argument, scope);
  if (ranged && scope.isFree(ranged)) return takeNumber(ranged, scope);
  const numbers = scope.own('number');
  const { text } = scope.clause;
  const named = numbers.find((each) =>
    wordsBefore(each, text, 2).some((word) => isArgumentWord(word, argument)),
  );
  // "The first 20 lines" is a length, not a first line.
  const isLength = (each: Mention) => limitCues.has(wordsBefore(each, text, 1)[0] ?? '');
  const counted = rangeEnd(argument)
    ? undefined
    : numbers.find(
        (each) => each.unit !== undefined && !isLength(each) && isArgumentWord(each.unit, argument),
      );
  const money = isMoney(argument) ? numbers.find((each) => currencies.has(each.unit ?? '')) : undefined;
  const only = argument.required && numbers.length === 1 ? numbers[0] : undefined;
  const decimal =
    argument.required && isMoney(argument) ? numbers.find((each) => each.value.includes('.')) : undefined;
  const found = named ?? money ?? counted ?? decimal ?? only;
  return found && takeNumber(found, scope);
}

function takeNumber(mention: Mention, scope: FillScope): number {
  scope.take(mention);
  return numberOf(mention);
}

/** Whether a number may be an id: written in digits, and not a count such as "the 3 oldest" or "5 orders". */
export function isIdNumber(mention: Mention, { clause: { text } }: FillScope): boolean {
  const [before = ''] = wordsBefore(mention, text, 1);
  const isCount = before === 'the' || limitCues.has(before) || /^[a-z]{3,}s$/.test(mention.unit ?? '');
  return !isCount && /^\D*\d/.test(text.slice(mention.start, mention.end));
}

/** "Lines 10 to 20" are eleven lines. */
function rangeLength(argument: Argument, scope: FillScope): number | undefined {
  const range = rangesIn(scope, /^\s*(?:to|until|-|–|through)\s*$/i).find(
    ({ from, to }) =>
      wordsBefore(from, scope.clause.text, 1).some((word) => isArgumentWord(word, argument)) &&
      numberOf(to) >= numberOf(from),
  );
  return range && numberOf(range.to) - numberOf(range.from) + 1;
}

/** In "limit 3", the word belongs to the number. */
function withName(mention: Mention, argument: Argument, text: string): Mention {
  const before = /[\p{L}]+\s*$/u.exec(text.slice(0, mention.start));
  const isName = before !== null && isArgumentWord(before[0].trim().toLowerCase(), argument);
  return isName ? { ...mention, start: before.index } : mention;
}

const uncountable = ['#time', 'histori'];

/** "The last commit" is one; "the last day" is a time, and "the last commits" sets no number. */
function asksForOne({ clause: { text } }: FillScope): boolean {
  const noun =
    /\b(?:the|my|our)\s+(?:very\s+)?(?:last|latest|newest|most\s+recent)\s+([a-z]*[a-rt-z])\b/i.exec(
      text,
    )?.[1];
  const ideas = noun === undefined ? [] : ideasOf(noun.toLowerCase());
  return ideas.length > 1 && !uncountable.some((idea) => ideas.includes(idea));
}

/** How many results a text asks for: "top 5", "the five largest", "last 3 commits". */
export function limitFor(argument: Argument, scope: FillScope): number | undefined {
  const { text, mentions } = scope.clause;
  const isInDate = (mention: Mention) =>
    mentions.dates.some((date) => date.start <= mention.start && mention.end <= date.end);
  const found = scope.own('number').find((each) => {
    if (!/^\d+$/.test(each.value) || isInDate(each)) return false;
    const before = wordsBefore(each, text, 1)[0] ?? '';
    const unit = each.unit ?? '';
    return (
      limitCues.has(before) ||
      isArgumentWord(before, argument) ||
      unit.endsWith('s') ||
      ideasOfTyped(unit).length > 1
    );
  });
  const wanted =
    rangeLength(argument, scope) ?? (found && takeNumber(withName(found, argument, text), scope));
  if (wanted === undefined) return asksForOne(scope) ? 1 : undefined;
  const { minimum, maximum } = bounds(argument.schema);
  return Math.min(maximum, Math.max(minimum, wanted));
}

/** The range a numeric schema allows. */
export function bounds(schema: JsonObject): { minimum: number; maximum: number } {
  const { minimum, maximum } = schema;
  return {
    minimum: typeof minimum === 'number' ? minimum : 0,
    maximum: typeof maximum === 'number' ? maximum : Number.MAX_SAFE_INTEGER,
  };
}

/** Whether a text asks for a count, so that a listing tool should list everything. */
export const asksToCount = (text: string): boolean => /\bhow many\b|\bnumber of\b|\bcount\b/i.test(text);
