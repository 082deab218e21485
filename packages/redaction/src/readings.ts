import type { Span } from './detectors/detector.js';
import { countUpTo } from './matching/count-up-to.js';

/** One way to read a text. */
export interface Reading {
  readonly text: string;
  /** Returns where a part of the reading stands in the text. */
  readonly spanOf: (span: Span) => Span;
}

/**
 * Returns the text with plain spaces and hyphens; the same with the digits of all scripts and full-width signs as ASCII,
 * and dashes between digits as hyphens; and the same without the letters of some scripts next to digits and Latin letters,
 * because those scripts write no space there. All three are searched, because addresses do have such letters there. A text
 * with invisible characters is also read without them.
 */
export function readingsOf(text: string): Reading[] {
  if (!/\P{ASCII}/u.test(text)) return [{ text, spanOf: (span) => span }];
  const asWritten = spellingsOf(shortened(text, longDigits));
  if (!invisible.test(text)) return asWritten;
  return [...asWritten, ...spellingsOf(shortened(text, longDigitsAndInvisible))];
}

const invisible = /\p{Default_Ignorable_Code_Point}/u;
/** Digits that take two UTF-16 units. */
const longDigits = /(?=[\u{10000}-\u{10ffff}])\p{Nd}/gu;
const longDigitsAndInvisible = new RegExp(`${longDigits.source}|${invisible.source}`, 'gu');

function spellingsOf({ text, spanOf }: Reading): Reading[] {
  const plain = text.replaceAll(/\p{Zs}/gu, ' ').replaceAll(/[\u2010-\u2012]/g, '-');
  const narrow = plain
    .replaceAll(/[（）＋－．／−]?(?![0-9])\p{Nd}[（）＋－．／−]?|(?<!\p{N})：|＋(?=[(\d])/gu, narrowed)
    .replaceAll(/(?<=[\d)])[–—−ー](?=[(\d])/g, '-');
  const apart = narrow.replaceAll(/[\p{Lo}ー](?=[(+]?\d|[a-z])|(?<=[a-z\d])[\p{Lo}ー]/giu, ({ length }) =>
    '、'.repeat(length),
  );
  return Array.from(new Set([plain, narrow, apart]), (spelling) => ({ text: spelling, spanOf }));
}

/** Full-width signs have the codes of ASCII, and this much more. */
const FULL_WIDTH = 0xfee0;

/** Replaces each full-width sign and each digit with its ASCII form. */
function narrowed(signs: string): string {
  return signs
    .replaceAll('−', '-')
    .replaceAll(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH))
    .replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)));
}

/** Replaces each digit that a pattern finds with the full-width one, which takes one unit, and drops what else it finds. */
function shortened(text: string, pattern: RegExp): Reading {
  /** For each unit that was dropped, the position in the short text that it stood before. */
  const dropped: number[] = [];
  const short = text.replaceAll(pattern, (found, at: number) => {
    const position = at - dropped.length;
    const isDigit = /\p{Nd}/u.test(found);
    const kept = isDigit ? String.fromCharCode(FULL_WIDTH + 0x30 + valueOf(found)) : '';
    for (let i = kept.length; i < found.length; i += 1) dropped.push(position + kept.length);
    return kept;
  });
  const original = (position: number) => position + countUpTo(dropped, position);
  return {
    text: short,
    spanOf: ({ start, end }) => {
      const last = original(end - 1);
      return { start: original(start), end: last + ((text.codePointAt(last) ?? 0) > 0xff_ff ? 2 : 1) };
    },
  };
}

const values = new Map<string, number>();

/** Returns the value of a decimal digit. In every script, the digits from 0 to 9 have consecutive codes. */
function valueOf(digit: string): number {
  const known = values.get(digit);
  if (known !== undefined) return known;
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  const value = (code - first) % 10;
  values.set(digit, value);
  return value;
}
