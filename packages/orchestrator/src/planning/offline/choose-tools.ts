import { chainableRoles } from './argument-role.js';
import type { Clause, Picker } from './clauses.js';
import { presentingIdeas, scoreTool, type ScoredText, type ToolScore } from './score-tool.js';
import type { ToolProfile, ToolSet } from './tool-profile.js';
import { isSameIdea, splitWords } from './words.js';

/** The tool a clause asks for, and the one whose result it speaks of ("the lines of *the largest file*"). */
export interface ToolChoice {
  readonly main: ToolProfile;
  readonly source?: ToolProfile;
}

const changes = ({ profile }: ToolScore) => Number(profile.tool.tags.includes('write'));

/** Scores of all tools for a text, the best first; of equal ones first what changes nothing, then as declared. */
export const rankTools = (text: ScoredText, set: ToolSet): ToolScore[] =>
  set.profiles
    .flatMap((profile) => scoreTool(profile, text, set) ?? [])
    .toSorted((a, b) => b.score - a.score || changes(a) - changes(b));

/** Picks the best tool for a text. */
export const pickerFor =
  (set: ToolSet): Picker =>
  (text) =>
    rankTools(text, set)[0];

/** Whether a tool has an argument that another tool's result could fill and the text itself does not. */
function takesResult({ arguments: args }: ToolProfile, text: ScoredText): boolean {
  const named = text.mentions.all.some(({ kind }) =>
    ['file', 'folder', 'code', 'uuid', 'url', 'email', 'glob'].includes(kind),
  );
  return !named && args.some(({ role }) => chainableRoles.has(role));
}

/**
 * The second tool that a clause describes with words the first does not account for: all of its name is said, and
 * the first tool can take what it finds.
 */
function sourceOf(main: ToolScore, ranked: readonly ToolScore[], clause: Clause): ToolProfile | undefined {
  if (!takesResult(main.profile, clause)) return undefined;
  const found = ranked.find((score) => {
    if (score === main || score.nameCoverage < 1 || score.profile.nameWords.length < 2) return false;
    return [...score.matched].some(
      (word) => !isPresenting(word.ideas) && !isSaidBy(main.profile, word.ideas),
    );
  });
  return found?.profile;
}

const isPresenting = (ideas: readonly string[]) => ideas.some((idea) => presentingIdeas.has(idea));

const isSaidBy = (profile: ToolProfile, ideas: readonly string[]) =>
  ideas.some((idea) => (profile.ideas.get(idea) ?? 0) >= 1.5);

/** Verbs that ask for a change; a tool that says it only reads is never meant. */
const changingVerbs = new Set(
  'edit update modify rename fix move replace delete remove overwrite append insert erase'.split(' '),
);

/**
 * "Refund order A-17" is no wish to fetch it: the first word is a deed that nothing here speaks of, and the tool's own
 * deed is not said.
 */
function asksForAnotherDeed(
  { profile, matched, isNamed }: ToolScore,
  { text, words, mentions }: ScoredText,
): boolean {
  const [first] = words;
  const [opening = ''] = splitWords(text);
  const isReading = profile.tool.tags.includes('read') && !profile.tool.tags.includes('write');
  if (!isNamed && isReading && changingVerbs.has(opening)) return true;
  const [deed] = profile.nameWords;
  if (isNamed || !first || first.word !== opening || first.ideas.length > 1 || matched.has(first))
    return false;
  if (mentions.all.some((each) => each.start === 0 && !/^\p{Lu}\p{Ll}+$/u.test(each.value))) return false;
  return (
    profile.nameWords.length > 1 && deed !== undefined && ![...matched].some((word) => isSameIdea(word, deed))
  );
}

/** The tool or pair of tools a clause asks for. */
export function chooseTools(clause: Clause, set: ToolSet): ToolChoice | undefined {
  const ranked = rankTools(clause, set);
  const [main] = ranked;
  if (!main || asksForAnotherDeed(main, clause)) return undefined;
  const source = sourceOf(main, ranked, clause);
  return source ? { main: main.profile, source } : { main: main.profile };
}
