import type { JsonObject, JsonValue } from '@svc/contracts';
import type { Span } from './mentions.js';
import { splitWords } from '../language/words.js';
import { canBeMentioned } from './request.js';
import { stemmer } from 'stemmer';

/** Words people use for fixed codes. */
const codeWords: ReadonlyMap<string, readonly string[]> = new Map([
  ['eur', ['euro', 'euros', '€']],
  ['usd', ['dollar', 'dollars', '$']],
  ['gbp', ['pound', 'pounds', 'sterling', '£']],
  ['celsius', ['centigrade', 'metric']],
  ['fahrenheit', ['imperial']],
  ['asc', ['ascending', 'oldest first']],
  ['desc', ['descending', 'newest first']],
]);

/** Nobody writes longer values in full, and every position of a text is tried with all values. */
const maxWords = 8;

/** An enum value, with the position at which a text mentions it. */
export interface MentionedValue extends Span {
  readonly value: JsonValue;
}

const pattern = (words: readonly string[]) => {
  const endings = words.map((word) => {
    const stem = stemmer(word).replaceAll("'", '');
    // Endings may differ: "shipped" and "shipping".
    return word.startsWith(stem) && stem.length > 3
      ? String.raw`${stem}\w*`
      : `${word.replaceAll("'", '')}s?`;
  });
  return new RegExp(String.raw`(?<![\w-])${endings.join(String.raw`[\s_-]+`)}(?![\w-])`, 'i');
};

function find(text: string, phrase: string): Span | undefined {
  if (!canBeMentioned(phrase)) return undefined;
  if (/^[€$£]$/.test(phrase)) {
    const start = text.indexOf(phrase);
    return start < 0 ? undefined : { start, end: start + 1 };
  }
  const words = splitWords(phrase);
  const match = words.length > 0 && words.length <= maxWords ? pattern(words).exec(text) : null;
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

/** The enum values that a text mentions, in the order of the text. */
export function mentionedValues(schema: JsonObject, text: string): MentionedValue[] {
  const members = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const said = members.flatMap((value: JsonValue): MentionedValue[] => {
    // A single letter is too likely to be part of the sentence.
    if (typeof value !== 'string' || value.length < 2) return [];
    for (const phrase of [value, ...(codeWords.get(value.toLowerCase()) ?? [])]) {
      const span = find(text, phrase);
      if (span) return [{ value, ...span }];
    }
    return [];
  });
  return said.toSorted((a, b) => a.start - b.start);
}
