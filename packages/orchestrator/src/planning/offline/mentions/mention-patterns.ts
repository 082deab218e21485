import { ideasOf } from '../language/concepts.js';
import { extensionWords, languageExtensions, wellKnownFiles, wellKnownFolders } from './file-names.js';
import { numberWordPattern, readNumberWords } from '../language/number-words.js';
import { stopWords, weakWords } from '../language/stop-words.js';

/** The kind of a mention, by its form. */
export type MentionKind =
  | 'quoted'
  | 'url'
  | 'email'
  | 'uuid'
  | 'json'
  | 'named'
  | 'glob'
  | 'file'
  | 'folder'
  | 'extension'
  | 'number'
  | 'code'
  | 'identifier'
  | 'proper';

/** What a match stands for. An empty value is not a mention. */
export interface MentionReading {
  readonly value: string;
  /** For a `named` mention: the name before `:` or `=`. */
  readonly name?: string;
  /** For a `number`: the word or currency that goes with it. */
  readonly unit?: string;
  /** Length of the mention when it is shorter than the match. */
  readonly length?: number;
}

/** How one form of mention is found and read. */
export interface MentionPattern {
  readonly kind: MentionKind;
  readonly pattern: RegExp;
  readonly read: (match: RegExpMatchArray) => MentionReading;
}

const whole = (match: RegExpMatchArray): MentionReading => ({ value: match[0] });
const first = (match: RegExpMatchArray): MentionReading => ({ value: match[1] ?? '' });

const alternatives = (words: readonly string[]) => words.join('|');
const languages = alternatives(Object.keys(languageExtensions));
const knownFiles = alternatives(Object.keys(wellKnownFiles));
const knownFolders = alternatives(wellKnownFolders);

const unquote = (text: string) => (/^(["'`]).*\1$/s.test(text) ? text.slice(1, -1) : text);

const readNamed = (match: RegExpMatchArray): MentionReading => ({
  name: match[1] ?? '',
  // In "Search for: this", the value has no name.
  value: stopWords.has((match[1] ?? '').toLowerCase())
    ? ''
    : unquote((match[2] ?? '').replace(/[.!?]+$/, '')),
});

const readQuoted = (match: RegExpMatchArray): MentionReading => ({
  value: match.slice(1).find((part) => part !== undefined) ?? '',
});

const notFiles = /^(?:e\.g|i\.e|(?:Node|Vue|Next|Nuxt|Express|React|Three|D3)\.js|ASP\.NET)$/;

const readFile = (match: RegExpMatchArray): MentionReading => ({
  value: notFiles.test(match[0]) ? '' : match[0],
});

/** ".env" is a file, ".ts" a file type. */
const readDotFile = (match: RegExpMatchArray): MentionReading => ({
  value: extensionWords.has(match[1] ?? '') ? '' : match[0],
});

const readLanguage = (match: RegExpMatchArray): MentionReading => ({
  value: languageExtensions[match[0].toLowerCase()] ?? '',
});

const readExtensionWord = (match: RegExpMatchArray): MentionReading => ({
  value: extensionWords.has(match[1] ?? '') ? (match[1] ?? '') : '',
});

const currencies = new Map([
  ['€', 'eur'],
  ['$', 'usd'],
  ['£', 'gbp'],
]);

/** The word after a number belongs to the sentence, a currency sign to the number. */
function readNumber(match: RegExpMatchArray): MentionReading {
  const [text, before, digits = '', after] = match;
  const unit = currencies.get(before?.trim() ?? '') ?? currencies.get(after ?? '') ?? after?.toLowerCase();
  const isWord = after !== undefined && /[a-z]/i.test(after);
  return {
    value: digits.replaceAll(/[_,]/g, ''),
    ...(unit ? { unit } : {}),
    length: (isWord ? text.slice(0, -after.length) : text).trimEnd().length,
  };
}

/** "Which one" and "the one" are not numbers. */
function readNumberWord(match: RegExpMatchArray): MentionReading {
  const [text, unit] = match;
  const before = match.input?.slice(0, match.index) ?? '';
  const isPronoun =
    /^one(?![\s-]+(?:hundred|thousand))/i.test(text) &&
    /\b(?:which|that|this|each|every|any|the|no)\s+$/i.test(before);
  if (isPronoun) return { value: '' };
  const length = (unit === undefined ? text : text.slice(0, -unit.length)).trimEnd().length;
  return {
    value: String(readNumberWords(text.slice(0, length))),
    length,
    ...(unit ? { unit: unit.toLowerCase() } : {}),
  };
}

const isCommon = (word: string) => {
  const lower = word.toLowerCase();
  return stopWords.has(lower) || weakWords.has(lower) || ideasOf(lower).length > 1;
};

/** A sentence starts with a capital too, so question words and verbs are not names. */
function readProper(match: RegExpMatchArray): MentionReading {
  const words = match[0].split(/\s+/);
  const before = match.input?.slice(0, match.index).trimEnd() ?? '';
  const startsSentence = before === '' || /[.!?:]$/.test(before);
  // Only the first word is capitalized because of the sentence.
  const isVerb = startsSentence && isCommon(words[0] ?? '');
  const name = words
    .slice(isVerb ? 1 : 0)
    .join(' ')
    .replace(/['’]s$/, '');
  return { value: /^I(?:['’]\p{L}+)?$/u.test(name) ? '' : name };
}

/** In order of trust: a later pattern cannot take what an earlier one took. */
export const mentionPatterns: readonly MentionPattern[] = [
  { kind: 'url', pattern: /\bhttps?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]]/gi, read: whole },
  {
    kind: 'named',
    pattern: /(?<![\w/.-])([a-z][\w-]*)\s*[=:]\s*("[^"\n]*"|'[^'\n]*'|\[[^\]\n]*\]|(?!\/\/)[^\s,;]+)/gi,
    read: readNamed,
  },
  // A redacted address is still an address.
  { kind: 'email', pattern: /\{_\{pii_email_\d+\}_\}/g, read: whole },
  { kind: 'email', pattern: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, read: whole },
  {
    kind: 'uuid',
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
    read: whole,
  },
  {
    kind: 'quoted',
    pattern: /"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`|«([^»\n]+)»|(?<!\w)'([^'\n]+)'(?!\w)/g,
    read: readQuoted,
  },
  {
    kind: 'glob',
    pattern: /(?<!\S)[\w./-]*\*[\w./*{},-]*/g,
    read: (match) => ({ value: match[0].replace(/[.,]+$/, '') }),
  },
  // Any other placeholder of a private value counts as one name.
  { kind: 'proper', pattern: /\{_\{[^{}]{1,256}\}_\}/g, read: whole },
  {
    kind: 'folder',
    pattern:
      /(?<![\w./-])(?:folders?|director(?:y|ies)|dirs?)\s+(?:called\s+|named\s+)?(\.?[\w@-]+(?:\/[\w@.-]+)*)\/?/gi,
    read: readFolderAfter,
  },
  {
    kind: 'folder',
    pattern:
      /(?<![\w./-])(?!(?:the|a|an|this|that|which|what|each|every|any|whole|my|our|your|current|same|other|of|in)\s)(\.?[\w@-]+(?:\/[\w@.-]+)*)\/?\s+(?:folder|director(?:y|ies)|dir)\b/gi,
    read: first,
  },
  {
    kind: 'file',
    pattern:
      /(?<![\w@/.-])(?:\.{0,2}\/)?(?:[\w@.-]+\/)*\.?[\w@-][\w@.-]*\.(?!\d+\b)[a-z][a-z0-9]{0,9}(?![\w/])/gi,
    read: readFile,
  },
  {
    kind: 'file',
    pattern: new RegExp(String.raw`(?<![\w./-])(?:${knownFiles})(?![\w/-])(?!\.\w)`, 'g'),
    read: (match) => ({ value: wellKnownFiles[match[0]] ?? match[0] }),
  },
  {
    kind: 'file',
    pattern: /(?<![\w@/.-])(?:[\w@.-]+\/)*\.([a-z][\w-]*)(?![\w./-]|\s+files?\b)/gi,
    read: readDotFile,
  },
  {
    kind: 'file',
    pattern: /(?<=\bfile\s+)[\w@.-]*(?:\/[\w@.-]+)*\/[\w@.-]*[\w@-]/gi,
    read: whole,
  },
  {
    kind: 'extension',
    pattern: /(?<![\w/])\.([a-z][a-z0-9]{0,5})(?=\s+(?:files?|documents?|modules?)\b|\s*$)/gi,
    read: first,
  },
  {
    kind: 'folder',
    pattern:
      /(?<![\w@/.:-])(?!(?:and|or|either|yes|w|n|i|his|her|he|she)\/)(?:\.{1,2}\/|\/)?[\w@.-]*[a-z@][\w@.-]*(?:\/[\w@.-]*[\w@-])+\/?/gi,
    read: (match) => ({ value: match[0].replace(/\/$/, '') }),
  },
  { kind: 'folder', pattern: /(?<=\s|^)([\w@-]+)\/(?=\s|$|[,.?!])/g, read: first },
  {
    kind: 'folder',
    pattern: new RegExp(
      String.raw`(?<=\b(?:in|under|inside|within|below|of|from|for|about|on|touch(?:ed|ing|es)?)\s+(?:the\s+)?)(?:${knownFolders})\b(?!\s+(?:file|of|change|commit))`,
      'gi',
    ),
    read: whole,
  },
  {
    kind: 'extension',
    pattern: new RegExp(String.raw`(?<![\w.])(?:${languages})(?![\w.])`, 'gi'),
    read: readLanguage,
  },
  {
    kind: 'extension',
    pattern: /(?<![\w.])([a-z][a-z0-9]{0,4})(?=\s+(?:files|documents|modules)\b)/g,
    read: readExtensionWord,
  },
  {
    kind: 'extension',
    pattern:
      /(?<=\b(?:extensions?|suffix|ending\s+(?:in|with))\s+["'`]?\.?)(?!is\b|of\b|and\b|or\b|the\b)([a-z][a-z0-9]{0,5})\b/gi,
    read: first,
  },
  {
    kind: 'number',
    pattern:
      /(?<![\w.-])\d{1,6}(?=\s?[-–]\s?\d{1,6}(?![\w-]))|(?<=(?<![\w.-])\d{1,6}\s?[-–]\s?)\d{1,6}(?![\w-])/g,
    read: whole,
  },
  {
    kind: 'number',
    pattern:
      /(?<![\w.-])([€$£]\s?)?([+-]?\d+(?:[_,]\d{3})*(?:\.\d+)?)(?!\w|\.\d|-\w)(?:\s*(%|[€$£]|[a-z]+))?/gi,
    read: readNumber,
  },
  {
    kind: 'number',
    pattern: new RegExp(String.raw`${numberWordPattern.source}(?:\s+([a-z]+))?`, 'gi'),
    read: readNumberWord,
  },
  {
    kind: 'code',
    pattern: /(?<![\w.-])#?(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*(?![\w-]|\.\d)/g,
    read: (match) => ({ value: match[0].replace(/^#/, '') }),
  },
  {
    kind: 'identifier',
    pattern:
      /(?<![\w./-])(?:[a-z_$][\w$]*[A-Z_$][\w$]*|[A-Z][a-z0-9]+[A-Z][\w$]*|[A-Z]{2,}\w*_\w+|[a-zA-Z_$][\w$]*(?:\.[a-zA-Z_$][\w$]*)*\(\))(?!\w)/g,
    read: whole,
  },
  {
    kind: 'proper',
    pattern:
      /(?<![\p{L}\w./-])\p{Lu}[\p{L}\p{M}'’-]*(?:\s+(?:(?:de|da|di|van|von|der|la|le|of|the)\s+)?\p{Lu}[\p{L}\p{M}'’-]*)*(?![\p{L}\w]|\.\w)/gu,
    read: readProper,
  },
];

const notFolderNames =
  /^(?:in|of|with|that|which|and|or|by|for|has|have|is|are|contain|contains|to|on|since|from)$/i;

function readFolderAfter(match: RegExpMatchArray): MentionReading {
  return { value: notFolderNames.test(match[1] ?? '') ? '' : (match[1] ?? '') };
}
