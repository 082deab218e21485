import type { JsonObject, JsonValue } from '@svc/contracts';
import type { Span } from './mentions.js';
import { splitWords } from './words.js';
import { isSayable } from './request.js';
import { stemmer } from 'stemmer';

/** Words people use for fixed codes. */
const codeWords: Readonly<Record<string, readonly string[]>> = {
  eur: ['euro', 'euros', '€'],
  usd: ['dollar', 'dollars', '$'],
  gbp: ['pound', 'pounds', 'sterling', '£'],
  celsius: ['centigrade', 'metric'],
  fahrenheit: ['imperial'],
  asc: ['ascending', 'oldest first'],
  desc: ['descending', 'newest first'],
};

/** A member of an enumeration where a text says it. */
export interface SaidValue extends Span {
  readonly value: JsonValue;
}

const pattern = (phrase: string) => {
  const words = splitWords(phrase).map((word) => {
    const stem = stemmer(word).replaceAll(/\W/g, '');
    // Endings may differ: "shipped" and "shipping".
    return word.startsWith(stem) && stem.length > 3
      ? String.raw`${stem}\w*`
      : String.raw`${word.replaceAll(/\W/g, '')}s?`;
  });
  return new RegExp(String.raw`(?<![\w-])${words.join(String.raw`[\s_-]+`)}(?![\w-])`, 'i');
};

function find(text: string, phrase: string): Span | undefined {
  if (!isSayable(phrase)) return undefined;
  if (/^[€$£]$/.test(phrase)) {
    const start = text.indexOf(phrase);
    return start < 0 ? undefined : { start, end: start + 1 };
  }
  const match = splitWords(phrase).length > 0 ? pattern(phrase).exec(text) : null;
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

/** The members of an enumeration that a text says, in the order of the text. */
export function saidValues(schema: JsonObject, text: string): SaidValue[] {
  const members = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const said = members.flatMap((value: JsonValue): SaidValue[] => {
    // A single letter is too likely to be part of the sentence.
    if (typeof value !== 'string' || value.length < 2) return [];
    for (const phrase of [value, ...(codeWords[value.toLowerCase()] ?? [])]) {
      const span = find(text, phrase);
      if (span) return [{ value, ...span }];
    }
    return [];
  });
  return said.toSorted((a, b) => a.start - b.start);
}
