import { chainableRoles } from './argument-role.js';
import type { Clause, Picker } from './clauses.js';
import { presentingIdeas, scoreTool, type ToolScore } from './score-tool.js';
import type { ScoredText } from './scored-text.js';
import type { ToolProfile, ToolSet } from './tool-profile.js';
import { isSameIdea, splitWords } from '../language/words.js';

/** The tool a clause asks for, and the one whose result it refers to ("the lines of *the largest file*"). */
export interface ToolChoice {
  readonly main: ToolProfile;
  readonly source?: ToolProfile;
}

const changes = ({ profile }: ToolScore) => Number(profile.tool.tags.includes('write'));

/** Scores all tools for a text, best first. Ties: tools that change nothing come first, then declaration order. */
export const rankTools = (text: ScoredText, set: ToolSet): ToolScore[] =>
  set.profiles
    .flatMap((profile) => scoreTool(profile, text, set) ?? [])
    .toSorted((a, b) => b.score - a.score || changes(a) - changes(b));

/** Picks the best tool for a text. */
export const pickerFor =
  (set: ToolSet): Picker =>
  (text) =>
    rankTools(text, set)[0];

/** Whether an argument could take another tool's result and the text itself names no value for it. */
function takesResult({ arguments: args }: ToolProfile, text: ScoredText): boolean {
  const named = text.mentions.all.some(({ kind }) =>
    ['file', 'folder', 'code', 'uuid', 'url', 'email', 'glob'].includes(kind),
  );
  return !named && args.some(({ role }) => chainableRoles.has(role));
}

/**
 * The second tool that a clause describes, with words that the first does not account for. The clause says its whole
 * name, and the first tool can take its result.
 */
function sourceOf(main: ToolScore, ranked: readonly ToolScore[], clause: Clause): ToolProfile | undefined {
  if (!takesResult(main.profile, clause)) return undefined;
  const found = ranked.find((score) => {
    if (score === main || score.nameCoverage < 1 || score.profile.nameWords.length < 2) return false;
    return [...score.matched].some(
      (word) => !isPresenting(word.ideas) && !isCoveredBy(main.profile, word.ideas),
    );
  });
  return found?.profile;
}

const isPresenting = (ideas: readonly string[]) => ideas.some((idea) => presentingIdeas.has(idea));

const isCoveredBy = (profile: ToolProfile, ideas: readonly string[]) =>
  ideas.some((idea) => (profile.ideas.get(idea) ?? 0) >= 1.5);

/** Verbs that ask for a change; they never mean a read-only tool. */
const changingVerbs = new Set(
  'edit update modify rename fix move replace delete remove overwrite append insert erase'.split(' '),
);

/**
 * Whether the clause asks for something that the tool does not do: "Refund order A-17" does not ask to fetch it. The
 * clause opens with a verb unknown here, and the tool's own verb is missing.
 */
function asksForAnotherAction(
  { profile, matched, isNamed }: ToolScore,
  { text, words, mentions }: ScoredText,
): boolean {
  const [first] = words;
  const [opening = ''] = splitWords(text);
  const isReading = profile.tool.tags.includes('read') && !profile.tool.tags.includes('write');
  if (!isNamed && isReading && changingVerbs.has(opening)) return true;
  const [verb] = profile.nameWords;
  if (isNamed || !first || first.word !== opening || first.ideas.length > 1 || matched.has(first))
    return false;
  if (mentions.all.some((each) => each.start === 0 && !/^\p{Lu}\p{Ll}+$/u.test(each.value))) return false;
  return (
    profile.nameWords.length > 1 && verb !== undefined && ![...matched].some((word) => isSameIdea(word, verb))
  );
}

/** The tool or pair of tools a clause asks for. */
export function chooseTools(clause: Clause, set: ToolSet): ToolChoice | undefined {
  const ranked = rankTools(clause, set);
  const [main] = ranked;
  if (!main || asksForAnotherAction(main, clause)) return undefined;
  const source = sourceOf(main, ranked, clause);
  return source ? { main: main.profile, source } : { main: main.profile };
}
