import { ideasOf, ideasOfTyped, joinPhrases } from './concepts.js';
import { stopWords, weakWords } from './stop-words.js';

/** A meaningful word, with the ideas it may stand for. */
export interface ContentWord {
  readonly word: string;
  readonly ideas: readonly string[];
}

/** Splits names and prose into lower-case words: `largestFiles`, `largest_files` and "largest files" are the same. */
export function splitWords(text: string): string[] {
  return (
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? []
  );
}

/** Words that say what kind of answer is wanted, not what it is about. */
export const questionWords: ReadonlySet<string> = new Set('who whom whose when where say says'.split(' '));

/** The meaningful words of a description. Question words count: "who" asks for a person. */
export const contentWords = (text: string): ContentWord[] => wordsWith(text, ideasOf);

/** The meaningful words of typed text, allowing for typos of one letter. */
export const typedWords = (text: string): ContentWord[] => wordsWith(text, ideasOfTyped);

function wordsWith(text: string, ideas: (word: string) => readonly string[]): ContentWord[] {
  return splitWords(joinPhrases(text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')))
    .filter((word) => word.length > 1 && (!stopWords.has(word) || questionWords.has(word)))
    .map((word) => ({ word, ideas: ideas(word) }));
}

/** The words of a tool's or argument's name, without weak verbs unless nothing else is left. */
export function nameWords(name: string): ContentWord[] {
  const all = splitWords(name.replace(/^.*__/, (prefix) => `${prefix} `));
  const meaningful = all.filter((word) => !weakWords.has(word) && !stopWords.has(word));
  return (meaningful.length > 0 ? meaningful : all).map((word) => ({ word, ideas: ideasOf(word) }));
}

/** Whether two words share their stem or a concept. */
export const isSameIdea = (a: ContentWord, b: ContentWord): boolean =>
  a.ideas.some((idea) => b.ideas.includes(idea));
