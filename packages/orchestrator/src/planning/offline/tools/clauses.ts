import type { PlanContext } from '../../plan-context.js';
import { findMentions, type Mention, type Mentions, type Span } from '../mentions/mentions.js';
import type { ToolScore } from './score-tool.js';
import type { ScoredText } from './scored-text.js';
import { deniedSpans } from './denied-spans.js';
import { typedWords, splitWords } from '../language/words.js';

/** One thing that a request asks for. */
export interface Clause extends ScoredText {
  readonly index: number;
  /** It refers to something named before ("it", "that file"). */
  readonly refersBack: boolean;
  /** What earlier clauses named, nearest first; used when this clause names nothing itself. */
  readonly inherited: Mentions;
}

/** Finds the tool that a text describes. */
export type Picker = (text: ScoredText) => ToolScore | undefined;

type Clock = Pick<PlanContext, 'now' | 'timezone'>;

const verbIdeas = new Set(
  (
    'search list show count read write create draft sign delete update send charge fetch translate calculate ' +
    'compare convert schedule cancel check approve analyze research explain review summary save'
  )
    .split(' ')
    .map((verb) => `#${verb}`),
);
const questionWords = new Set([
  'who',
  'what',
  'which',
  'when',
  'where',
  'how',
  'why',
  'whose',
  'tell',
  'give',
  'also',
]);

const backReference =
  /\b(?:it|its|them|they|their|he|she|his|her)\b|\b(?:this|that|these|those)\b(?=\s+(?:file|folder|one|match|result|document|path|order|customer|item|page)s?\b|\s*[?.!]?$)|\b(?:first|top|best|last|second)\s+(?:match|result|one|hit)\b/i;

/** A text with its words and mentions. Words only after a negation are unwanted. */
export function readText(text: string, clock: Clock): ScoredText {
  const mentions = findMentions(text, clock);
  const denied = deniedSpans(text, mentions);
  const wantedText = maskMentions(withoutSpans(text, denied), text, mentions);
  const deniedText = denied.map(({ start, end }) => text.slice(start, end)).join(' ');
  const words = typedWords(wantedText);
  // "Cancel order A-17, but not order A-18" still wants an order cancelled.
  const wanted = new Set(words.map(({ ideas: [stem] }) => stem));
  const unwanted = typedWords(deniedText).filter(({ ideas: [stem] }) => !wanted.has(stem));
  return { text, words, unwanted, denied, mentions };
}

const withoutSpans = (text: string, spans: readonly Span[]) =>
  spans.reduceRight((left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`, text);

/** Removes quotations, paths and the like: they are material, not instructions. */
function maskMentions(unmasked: string, text: string, mentions: Mentions): string {
  const material = mentions.all.filter(
    (each) => ['quoted', 'url', 'email', 'json', 'glob'].includes(each.kind) || /\//.test(each.value),
  );
  return material.reduce(
    (masked, each) => masked.replaceAll(text.slice(each.start, each.end), ' '),
    unmasked,
  );
}

const isInside = (at: number, spans: readonly Span[]) =>
  spans.some((span) => span.start < at && at < span.end);

function splitAt(text: string, pattern: RegExp, closed: readonly Span[]): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (isInside(match.index, closed) || isInside(match.index + match[0].length, closed)) continue;
    pieces.push(text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  return [...pieces, text.slice(from)].map((piece) => piece.trim()).filter((piece) => piece !== '');
}

const sentenceEnd = /(?<=[.!?;])\s+|\n+|,?\s+(?:and\s+)?(?:then|afterwards|after that|finally)\b,?\s*/gi;
const conjunction =
  /\s*,\s*(?:(?:and|but|plus|also|as well as)\s+)*|\s+(?:and|plus|as well as|but|also)\s+(?:also\s+)?/gi;

function opensClause(text: string): boolean {
  const [first = '', second = ''] = splitWords(text);
  const [word] = typedWords(first);
  return (
    questionWords.has(first) ||
    (word?.ideas.some((idea) => verbIdeas.has(idea)) ?? false) ||
    (first === 'please' && second !== '')
  );
}

/** Whether the part after a conjunction is a request of its own. */
function isSeparateRequest(part: string, left: ToolScore | undefined, pick: Picker, clock: Clock): boolean {
  const right = readText(part, clock);
  const score = pick(right);
  if (!score || !left) return false;
  const saysAll = right.words.length > 0 && right.words.every((word) => score.matched.has(word));
  const saysEnough = score.matched.size >= 2 || saysAll || score.isNamed;
  // What follows a search may be part of the search phrase.
  const takesWords = left.profile.arguments.some(
    ({ role }) => role === 'query' || role === 'content' || role === 'title',
  );
  if (opensClause(part) && !takesWords && score.profile !== left.profile) return true;
  if (opensClause(part)) return saysEnough || right.mentions.all.length > 0 || backReference.test(part);
  return score.profile !== left.profile && saysEnough && score.nameCoverage >= 0.5;
}

/** The maximum number of sentences and clauses in a request, and of parts in a sentence. The rest belongs to the last. */
const maxParts = 12;

function splitSentence(sentence: string, pick: Picker, clock: Clock): string[] {
  const closed = findMentions(sentence, clock).all;
  const clauses: string[] = [];
  let current = '';
  let from = 0;
  for (const part of limitParts(splitAt(sentence, conjunction, closed), sentence)) {
    const at = sentence.indexOf(part, from);
    const connector = sentence.slice(from, at);
    from = at + part.length;
    if (current !== '' && isSeparateRequest(part, pick(readText(current, clock)), pick, clock)) {
      clauses.push(current);
      current = part;
    } else current = current === '' ? part : `${current}${connector}${part}`;
  }
  return [...clauses, current].filter((clause) => clause !== '');
}

function limitParts(parts: readonly string[], text: string): readonly string[] {
  const last = parts[maxParts - 1];
  if (last === undefined || parts.length === maxParts) return parts;
  const before = parts.slice(0, maxParts - 1);
  const from = before.reduce((at, part) => text.indexOf(part, at) + part.length, 0);
  return [...before, text.slice(text.indexOf(last, from))];
}

const inheritable = new Set<Mention['kind']>([
  'file',
  'folder',
  'glob',
  'extension',
  'code',
  'uuid',
  'url',
  'email',
  'quoted',
  'identifier',
  'proper',
]);

/** What later clauses may mean by "it": the nearest mention of each kind. */
function mentionsForLater(own: Mentions, before: Mentions): Mentions {
  const kept = own.all.filter((each) => inheritable.has(each.kind));
  const kinds = new Set(kept.map((each) => each.kind));
  const isPath = (kind: Mention['kind']) => kind === 'file' || kind === 'folder' || kind === 'glob';
  const hasPath = kept.some((each) => isPath(each.kind));
  const older = before.all.filter((each) => !kinds.has(each.kind) && !(hasPath && isPath(each.kind)));
  return { all: [...kept, ...older], dates: own.dates.length > 0 ? own.dates : before.dates };
}

/** Parts joined by a plain "and" ("the largest and the most changed files in src") share what the last one names. */
function inheritedMentions(text: ScoredText, next: ScoredText | undefined, before: Mentions): Mentions {
  if (!next || opensClause(next.text) || /[.!?;]$/.test(text.text)) return before;
  const shared = next.mentions.all.filter((each) => ['folder', 'extension', 'glob'].includes(each.kind));
  return shared.length > 0 || next.mentions.dates.length > 0
    ? { all: shared, dates: next.mentions.dates }
    : before;
}

/** Splits a request into the things it asks for, each with its own mentions and those it inherits. */
export function splitRequest(request: string, earlier: Mentions, pick: Picker, clock: Clock): Clause[] {
  const closed = findMentions(request, clock).all;
  const clauses = limitParts(splitAt(request, sentenceEnd, closed), request).flatMap((sentence) =>
    splitSentence(sentence, pick, clock),
  );
  const texts = limitParts(clauses, request).map((text) => readText(text, clock));
  let inherited = earlier;
  return texts.map((text, index) => {
    const clause: Clause = {
      ...text,
      index,
      refersBack: backReference.test(text.text),
      inherited: inheritedMentions(text, texts[index + 1], inherited),
    };
    inherited = mentionsForLater(text.mentions, inherited);
    return clause;
  });
}

/** The whole request as one clause, for tools that no single part asks for. */
export function wholeClause(request: string, clock: Clock): Clause {
  return { ...readText(request, clock), index: -1, refersBack: false, inherited: noMentions };
}

/** The mentions of one text, followed by those of another. */
export const mergeMentions = (first: Mentions, second: Mentions): Mentions => ({
  all: [...first.all, ...second.all.filter((each) => inheritable.has(each.kind))],
  dates: first.dates.length > 0 ? first.dates : second.dates,
});

export const noMentions: Mentions = { all: [], dates: [] };
