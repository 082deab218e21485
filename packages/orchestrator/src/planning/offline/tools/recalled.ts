import { cutText } from '../../../cut-text.js';
import { escapeText, labelOf } from '../../answer/markdown.js';
import type { PlanContext, RecalledItem } from '../../plan-context.js';
import type { Clause } from './clauses.js';
import { MAX_REQUEST_LENGTH } from '../mentions/request.js';
import { isDestructive } from './asks-for-change.js';
import { stopWords } from '../language/stop-words.js';
import type { ToolProfile, ToolSet } from './tool-profile.js';
import { contentWords, isSameIdea, questionWords, splitWords, type ContentWord } from '../language/words.js';

/** The maximum number of sentences of a text, and of memory items, that are quoted. */
const maxQuoted = 3;

const question =
  /\?\s*$|^\s*(?:what|which|who|whom|whose|when|where|why|how|tell|explain|describe|is|are|was|were|does|do(?! not)|did|can|may|should)\b/i;

/** Whether a part of a request asks for information rather than an action. */
export const isQuestion = ({ text }: Pick<Clause, 'text'>): boolean => question.test(text);

/** How many of the user's earlier messages are searched. */
const maxEarlier = 20;

/**
 * What memory returned for this turn, plus the user's earlier messages: memory omits turns that are still in the
 * conversation.
 */
export function knownItems({ memory = [], messages, turn_start: start }: PlanContext): RecalledItem[] {
  const earlier = messages.slice(0, start).filter(({ role }) => role === 'user');
  const said = earlier.slice(-maxEarlier).map(({ content }): RecalledItem => ({
    kind: 'summary',
    id: '',
    title: '',
    text: `Asked: ${cutText(content, MAX_REQUEST_LENGTH).replaceAll(/\s+/g, ' ').trim()}`,
  }));
  return [...memory, ...said];
}

interface Quote {
  readonly item: RecalledItem;
  readonly pieces: readonly string[];
  /** How many topic words of the request it matches. */
  readonly matches: number;
}

const topicsOf = (text: string): ContentWord[] =>
  contentWords(text).filter(({ word }) => !questionWords.has(word));

const countMatches = (topics: readonly ContentWord[], words: readonly ContentWord[]): number =>
  topics.filter((topic) => words.some((word) => isSameIdea(topic, word))).length;

/** Splits a text into sentences and lines; a question is joined with the answer after it. */
function piecesOf(text: string): string[] {
  const pieces = text
    .split(/\n+|(?<=[.!?])\s+/)
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  return pieces.map((piece, index) => (piece.endsWith('?') ? `${piece} ${pieces[index + 1] ?? ''}` : piece));
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line));

/** The parts of an item that may be quoted, each as a group of lines. A skill or an insight is quoted as a whole. */
function quotableOf({ kind, title, text }: RecalledItem): string[][] {
  if (kind === 'resource') return piecesOf(text).map((piece) => [piece]);
  if (kind === 'insight') return [linesOf(text)];
  if (kind === 'skill') return [linesOf(text.startsWith(title) ? text.slice(title.length) : text)];
  // From an earlier turn, only what the user stated: the answer may have been that there is none.
  const said = /^Asked: (.*)/.exec(text)?.[1] ?? '';
  const stated = piecesOf(said).filter((piece) => !isQuestion({ text: piece }));
  return stated.map((piece) => [piece]);
}

/** Whether a text says more than the question itself. */
function addsInformation(lines: readonly string[], requestWords: ReadonlySet<string>): boolean {
  return lines.some((line) =>
    splitWords(line).some((word) => !requestWords.has(word) && !stopWords.has(word)),
  );
}

/** The parts of an item that match the most topic words, if that is at least half of them. */
function quoteOf(item: RecalledItem, clause: Clause): Quote | undefined {
  const topics = topicsOf(clause.text);
  const requestWords = new Set(splitWords(clause.text));
  const title = item.kind === 'skill' || item.kind === 'resource' ? contentWords(item.title) : [];
  const scored = quotableOf(item).flatMap((lines) => {
    const own = contentWords(lines.join('\n'));
    const isRelevant = countMatches(topics, item.kind === 'skill' ? [...title, ...own] : own) > 0;
    return isRelevant && addsInformation(lines, requestWords)
      ? [{ lines, matches: countMatches(topics, [...title, ...own]) }]
      : [];
  });
  const matches = Math.max(0, ...scored.map((each) => each.matches));
  if (matches === 0 || matches * 2 < topics.length) return undefined;
  const best = scored.filter((each) => each.matches === matches).slice(0, maxQuoted);
  return { item, pieces: best.flatMap(({ lines }) => lines), matches };
}

const nameOf: Readonly<Record<RecalledItem['kind'], (title: string) => string>> = {
  skill: (title) => `From memory (skill “${escapeText(title)}”)`,
  resource: (title) => `From memory (resource “${escapeText(title)}”)`,
  insight: (title) => `From memory (insight, ${escapeText(labelOf(title))})`,
  summary: () => 'Earlier in this conversation',
};
const sourceOf = ({ kind, title }: RecalledItem): string => nameOf[kind](title);

function quoteText({ item, pieces }: Quote): string {
  const lines = pieces.map((piece) => escapeText(piece.trim()));
  return `${sourceOf(item)}:${lines.length === 1 ? ' ' : '\n\n'}${lines.join('  \n')}`;
}

/**
 * What memory says about a part of a request that no tool fits, verbatim and with its source: for a question whatever
 * matches best, for an instruction only a skill, which says how it is done. Undefined when nothing matches.
 */
export function recalledAnswer(clause: Clause, memory: readonly RecalledItem[]): string | undefined {
  const items = isQuestion(clause) ? memory : memory.filter(({ kind }) => kind === 'skill');
  const quotes = items.flatMap((item) => quoteOf(item, clause) ?? []);
  const most = Math.max(0, ...quotes.map(({ matches }) => matches));
  const best = quotes.filter(({ matches }) => matches === most).slice(0, maxQuoted);
  return best.length === 0 ? undefined : best.map(quoteText).join('\n\n');
}

/** The tools that a skill calls, in order, and the note about it in the answer. */
export interface SkillSteps {
  readonly profiles: readonly ToolProfile[];
  readonly note: string;
}

/**
 * The steps of the first skill that an instruction names, when all of them are tools of this run. Skills are user-written
 * text: they never cause a destructive call, nor any call for a question.
 */
export function skillSteps(
  clause: Clause,
  { memory, set }: { memory: readonly RecalledItem[]; set: ToolSet },
): SkillSteps | undefined {
  if (isQuestion(clause)) return undefined;
  for (const item of memory) {
    const names = item.kind === 'skill' ? stepsIn(item.text) : [];
    const title = topicsOf(item.title);
    const profiles = names.flatMap((name) => set.profiles.find(({ tool }) => tool.name === name) ?? []);
    const isWhole = profiles.length > 0 && profiles.length === names.length && !profiles.some(isDestructive);
    if (!isWhole || title.length === 0 || countMatches(title, clause.words) < title.length) continue;
    const steps = names.map((name) => escapeText(labelOf(name))).join(', ');
    return { profiles, note: `${sourceOf(item)}: ${steps}.` };
  }
  return undefined;
}

const stepsIn = (text: string): string[] =>
  [...text.matchAll(/^\d+\. (.+)$/gm)].map(([, step = '']) => step.trim());
