import { TAKEN, type FillScope } from './fill-scope.js';
import type { Argument, ToolProfile } from '../tools/tool-profile.js';
import { ideasOf } from '../language/concepts.js';
import { canBeMentioned } from '../mentions/request.js';
import { stopWords } from '../language/stop-words.js';
import { isSameIdea, splitWords } from '../language/words.js';

const looseEnd =
  /\s+(?:in|into|to|at|on|of|from|for|with|within|under|inside|since|until|and|or|please|the|a|an|all|any|files?)$/i;

/** A phrase ends where another argument's words begin. */
const pieces = (text: string) =>
  text.split(new RegExp(`${TAKEN}+`)).filter((piece) => /[\p{L}\p{N}]/u.test(piece));

function trimPhrase(text: string): string {
  let phrase = (pieces(text)[0] ?? '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s,.:;!?'"-]+|[\s,.:;!?'"-]+$/g, '')
    .replace(/^(?:the|a|an|any|all|every|some)\s+/i, '');
  while (looseEnd.test(phrase)) phrase = phrase.replace(looseEnd, '');
  return phrase;
}

/** Where a search phrase begins, from the strongest cue to the weakest. */
const queryCues: readonly RegExp[] = [
  /\b(?:called|named|titled|labell?ed|saying|says|reading)\s+(.+)$/i,
  /\b(?:mention(?:s|ed|ing)?|contain(?:s|ing|ed)?|includ(?:e|es|ing)|match(?:es|ing)?)\s+(?!of\b)(.+)$/i,
  /\b(?:uses?|usages?|occurrences?|mentions?|references?|instances?|calls?)\s+(?:of|to)\s+(.+)$/i,
  /\bwhere\s+(?:is|are|do|does|did|was|were|can)?\s*(?:we|i|you|they)?\s*(.+?)\s+(?:is|are|was|were|gets?)?\s*\b(?:used?|mentioned|defined|declared|called|imported|referenced|found|live|stand|come|appear|handled?|set)\b/i,
  /\b(?:search|look|grep|hunt|scan|seek|query|ask)\w*\s+(?:\w+\s+){0,3}?(?:for|about):?\s+(.+)$/i,
  /\b(?:for|about|regarding|concerning|on)\s+(.+)$/i,
  /\b(?:find|search|locate|lookup|look\s+up|grep|google)\s+(?:for\s+)?(?:me\s+)?(.+)$/i,
];

/** The search phrase. */
export function queryPhrase(scope: FillScope): string | undefined {
  const text = scope.freeText();
  for (const cue of queryCues) {
    const phrase = trimPhrase(cue.exec(text)?.[1] ?? '');
    if (phrase !== '' && splitWords(phrase).some((word) => !stopWords.has(word))) return phrase;
  }
  return undefined;
}

const titleCue =
  /\b(?:titled|entitled|called|named|with (?:the )?(?:title|subject|name)|about|on|for)\s+(.+)$/i;

/** The name or title that a text gives to something. */
export function titlePhrase(scope: FillScope, required: boolean): string | undefined {
  const text = scope.freeText();
  const strong = /\b(?:titled|entitled|called|named|with (?:the )?(?:title|subject|name))\s+(.+)$/i.exec(
    text,
  )?.[1];
  const weak = required ? titleCue.exec(text)?.[1] : undefined;
  return trimPhrase(strong ?? weak ?? '') || undefined;
}

/** What follows the argument's own name: "customer 42", "city Berlin", "the title is X". */
export function valueAfterName(
  argument: Argument,
  scope: FillScope,
): { text: string; start: number; end: number } | undefined {
  if (!canBeMentioned(argument.name)) return undefined;
  const name = argument.name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').split(/[_\s-]+/);
  const nouns = name.filter((word) => !/^(?:id|ids|name|number|no|code|key)$/i.test(word));
  const label = (nouns.length > 0 ? nouns : name)
    .map((word) => word.replaceAll(/\W/g, ''))
    .join(String.raw`[\s_-]+`);
  if (label === '') return undefined;
  const suffix = String.raw`(?:[\s_-]+(?:id|name|number|no\.?|code|key))?`;
  const pattern = new RegExp(
    String.raw`\b${label}${suffix}\s+(?:(?:is|of|to|as|=|:|named|called)\s+)?(?:"([^"]+)"|'([^']+)'|#?([\w@.+-]*[\w]))`,
    'gi',
  );
  for (const match of scope.wantedText().matchAll(pattern)) {
    const text = match[1] ?? match[2] ?? match[3] ?? '';
    const end = match.index + match[0].length;
    const start = end - text.length - (match[3] === undefined ? 1 : 0);
    if (match[3] !== undefined && (stopWords.has(text.toLowerCase()) || text === '')) continue;
    // "The address of order A-17" says whose address it is, not which address.
    const isOwner =
      /\sof\s+$/i.test(match[0].slice(0, -text.length)) &&
      /^\p{Ll}+$/u.test(text) &&
      /^\s+["'#\d\p{Lu}]/u.test(scope.clause.text.slice(end));
    if (match[3] !== undefined && isOwner) continue;
    return { text, start, end };
  }
  return undefined;
}

const cueOf: Readonly<Record<string, RegExp>> = {
  city: /\b(in|at|for|of|from)\s+(\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*)/u,
  person: /\b(by|from|of|for|to|with)\s+(\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*)/u,
};
const placeWords = new Set([
  'city',
  'country',
  'location',
  'place',
  'region',
  'town',
  'destination',
  'origin',
]);

/** Proper names next to the preposition that goes with the argument: "in Berlin, Paris and Rome", "by Ada and by Bob". */
export function properNames(argument: Argument, scope: FillScope): string[] {
  const isPlace = argument.words.some(({ word }) => placeWords.has(word));
  const text = scope.wantedText();
  const near = cueOf[isPlace ? 'city' : 'person']?.exec(text);
  const [found = '', preposition = '', first] = near ?? [];
  if (!near || first === undefined)
    return argument.required
      ? scope
          .own('proper')
          .slice(0, 1)
          .map((each) => each.value)
      : [];
  const rest = text.slice(near.index + found.length);
  const joint = String.raw`(?:\s*,\s*(?:and\s+)?|\s+(?:and|or)\s+)(?:${preposition}\s+)?`;
  const listed =
    new RegExp(String.raw`^(?:${joint}\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*)+`, 'u').exec(rest)?.[0] ??
    '';
  const names = [first, ...listed.split(new RegExp(joint))].map((name) => name.trim());
  return names.filter((name) => name !== '').slice(0, argument.isOnlyOfRole ? undefined : 1);
}

/** What remains of a clause without stop words and the words that selected the tool. */
export function remainingPhrase(scope: FillScope, profile: ToolProfile): string | undefined {
  const isSpent = (word: string) => {
    const lower = word.toLowerCase();
    if (stopWords.has(lower)) return true;
    const ideas = ideasOf(lower);
    const content = { word: lower, ideas };
    return profile.nameWords.some((name) => isSameIdea(name, content)) || ideas.length > 1;
  };
  const isSpentToken = (word: string) => isSpent(word.replace(/[.:]+$/, ''));
  for (const piece of pieces(scope.wantedText())) {
    const words = [...piece.matchAll(/[^\s,;!?"“”]+/g)].filter(([word]) => !isSpentToken(word));
    const [first, last] = [words[0], words.at(-1)];
    if (!first || !last) continue;
    // The words in between are part of the phrase.
    const phrase = trimPhrase(piece.slice(first.index, last.index + last[0].length));
    if (phrase !== '') return phrase;
  }
  return undefined;
}
