import { asksForChange, isChanging, isDestructive } from './asks-for-change.js';
import type { Argument, ToolProfile, ToolSet } from './tool-profile.js';
import { mentionedValues } from '../mentions/enum-values.js';
import type { Mention } from '../mentions/mentions.js';
import type { ScoredText } from './scored-text.js';
import { isSameIdea, splitWords, type ContentWord } from '../language/words.js';

/** How well a tool fits a text. */
export interface ToolScore {
  readonly profile: ToolProfile;
  readonly score: number;
  /** Words of the text that match the tool. */
  readonly matched: ReadonlySet<ContentWord>;
  /** Share of the tool's name that the text contains, 0 to 1. */
  readonly nameCoverage: number;
  /** The text contains the tool's name itself. */
  readonly isNamed: boolean;
}

/** Words that change which tool is meant: a tool with one in its name needs it in the text. */
const modifiers = ['#large', '#small', '#most', '#recent'];
/** "Show" and "list" ask to present something, which every tool's answer does. */
export const presentingIdeas: ReadonlySet<string> = new Set(['show', 'list', '#show', '#list']);
const personWords = new Set(['who', 'whom', 'whose']);
const kindFits: Readonly<Partial<Record<Argument['role'], readonly Mention['kind'][]>>> = {
  file: ['file'],
  folder: ['folder'],
  path: ['file', 'folder', 'glob'],
  extension: ['extension'],
  glob: ['glob', 'extension'],
  url: ['url'],
  email: ['email'],
  uuid: ['uuid'],
  id: ['code', 'uuid'],
  query: ['quoted', 'identifier'],
  title: ['quoted'],
  name: ['proper'],
  limit: ['number'],
};

/** How strongly an argument suggests its tool, because the text contains a value for it. */
function evidenceOf(argument: Argument, { mentions, text }: ScoredText): number {
  const named = mentions.all.some(
    (each) =>
      each.kind === 'named' && splitWords(each.name ?? '').join() === splitWords(argument.name).join(),
  );
  if (named) return 1.5;
  if (mentionedValues(argument.schema, text).length > 0) return 1.2;
  if (argument.role.startsWith('date')) return mentions.dates.length > 0 ? 0.8 : 0;
  const has = (kind: Mention['kind']) => mentions.all.some((each) => each.kind === kind);
  // A folder is not a file, so a tool that requires a file is not meant.
  if (argument.role === 'file' && argument.required && has('folder') && !has('file')) return -2;
  const kinds = kindFits[argument.role];
  if (!kinds || !mentions.all.some((each) => kinds.includes(each.kind))) return 0;
  if (argument.role === 'limit' || argument.role === 'name') return 0.2;
  return argument.required ? 0.9 : 0.5;
}

/** Leaves out a producer's argument when the tool has its own: the text names the value once, so it counts once. */
function fillableOf({ arguments: own, producerArguments }: ToolProfile): Argument[] {
  const has = new Set(own.flatMap(({ name, role }) => (kindFits[role] ? [name, role] : [name])));
  return [...own, ...producerArguments.filter(({ name, role }) => !has.has(name) && !has.has(role))];
}

function wordScores(profile: ToolProfile, { words }: ScoredText, set: ToolSet) {
  const matched = new Set<ContentWord>();
  const seen = new Set<string>();
  let score = 0;
  for (const word of words) {
    let best = 0;
    let bestIdea = '';
    for (const [index, idea] of word.ideas.entries()) {
      const presents = presentingIdeas.has(idea) ? 0.5 : 1;
      const value = (profile.ideas.get(idea) ?? 0) * set.rarityOf(idea) * (index === 0 ? 1 : 0.8) * presents;
      if (value > best) [best, bestIdea] = [value, idea];
    }
    if (best === 0) continue;
    matched.add(word);
    const emphasis = personWords.has(word.word) ? 1.6 : 1;
    score += seen.has(bestIdea) ? best * 0.2 : best * emphasis;
    seen.add(bestIdea);
  }
  return { score, matched };
}

const lacksModifier = ({ nameWords }: ToolProfile, { words }: ScoredText) =>
  nameWords.some(
    (name) =>
      modifiers.some((idea) => name.ideas.includes(idea)) && !words.some((word) => isSameIdea(word, name)),
  );

const namesTool = (name: string, text: string) =>
  name.length > 2 &&
  text.includes(name) &&
  /[_A-Z-]|__/.test(name) &&
  new RegExp(`(?<![\\w-])${name.replaceAll(/\W/g, '\\$&')}(?![\\w-])`).test(text);

/** Whether the matching words suffice: a word of the name, two words, or one plus a value for an argument. */
function isEnough(score: Omit<ToolScore, 'score'>, evidence: number): boolean {
  const { profile, matched, isNamed } = score;
  const byName = [...matched].some((word) => word.ideas.some((idea) => (profile.ideas.get(idea) ?? 0) >= 2));
  const { action } = profile;
  const namesAction = action !== undefined && [...matched].some((word) => isSameIdea(word, action));
  if (isDestructive(profile) && !namesAction) return isNamed;
  const asksPerson = evidence > 0 && [...matched].some(({ word }) => personWords.has(word));
  return isNamed || byName || asksPerson || matched.size >= 2 || (matched.size === 1 && evidence >= 0.8);
}

/** The share of the tool's name that the text says. "Emails" says `email` or `send`, but not both. */
function coverageOf({ nameWords }: ToolProfile, { words }: ScoredText): number {
  const said = nameWords.filter((name) => words.some((word) => isSameIdea(word, name)));
  const saying = words.filter((word) => nameWords.some((name) => isSameIdea(word, name)));
  const distinct = new Set(saying.map(({ word }) => word)).size;
  return Math.min(said.length, distinct) / Math.max(1, nameWords.length);
}

/** How well a tool fits a text; undefined when nothing in the text matches it. */
export function scoreTool(profile: ToolProfile, text: ScoredText, set: ToolSet): ToolScore | undefined {
  const { score, matched } = wordScores(profile, text, set);
  const isNamed = namesTool(profile.tool.name, text.text);
  const unwanted = text.unwanted.some((word) => profile.nameWords.some((name) => isSameIdea(name, word)));
  if ((matched.size === 0 && !isNamed) || (unwanted && !isNamed)) return undefined;
  if (isChanging(profile) && !isNamed && !asksForChange(profile, text)) return undefined;
  const nameCoverage = coverageOf(profile, text);
  const evidence = fillableOf(profile).reduce((sum, argument) => sum + evidenceOf(argument, text), 0);
  const partial = { profile, matched, nameCoverage, isNamed };
  if (!isEnough(partial, evidence)) return undefined;
  const base = score * (0.7 + 0.3 * nameCoverage) * (lacksModifier(profile, text) ? 0.5 : 1);
  const total = base + Math.min(evidence, 2.5) + (isNamed ? 10 : 0);
  return total >= 1 ? { ...partial, score: total } : undefined;
}
