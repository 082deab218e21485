import { rangeEnd } from './fill-numbers.js';
import type { FillScope } from './fill-scope.js';
import type { Argument } from '../tools/tool-profile.js';

const languages = (
  'Arabic Bengali Bulgarian Catalan Chinese Croatian Czech Danish Dutch English Estonian Finnish French German Greek ' +
  'Hebrew Hindi Hungarian Indonesian Irish Italian Japanese Korean Latin Latvian Lithuanian Malay Norwegian Persian ' +
  'Polish Portuguese Romanian Russian Serbian Slovak Slovenian Spanish Swahili Swedish Thai Turkish Ukrainian Urdu ' +
  'Vietnamese Welsh'
).replaceAll(' ', '|');

/** Whether an argument names a language. */
export const isLanguage = ({ words }: Argument): boolean => words.some(({ word }) => word === 'language');

/**
 * The language a text names: "to German", "in French". Any other name, as in "in Paris", counts only for a required
 * argument.
 */
export function languageFor(argument: Argument, scope: FillScope): string | undefined {
  const text = scope.freeText().replaceAll(/"[^"]*"|“[^”]*”/g, (quoted) => ' '.repeat(quoted.length));
  const cue = rangeEnd(argument) === 'from' ? 'from' : '(?:in)?to|in';
  const found =
    new RegExp(String.raw`\b(?:${cue})\s+(${languages})\b`, 'i').exec(text) ??
    (argument.required ? new RegExp(String.raw`\b(?:${cue})\s+(\p{Lu}[\p{L}'’-]*)`, 'u').exec(text) : null);
  if (!found) return argument.required ? scope.own('proper')[0]?.value : undefined;
  scope.take({ start: found.index, end: found.index + found[0].length });
  return found[1];
}
