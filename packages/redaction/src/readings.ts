import type { Span } from './detectors/detector.js';

/** One way to read a text. */
export interface Reading {
  readonly text: string;
  /** Returns where a part of the reading stands in the text. */
  readonly spanOf: (span: Span) => Span;
}

/**
 * Returns the text with plain spaces and hyphens; the same with the digits of all scripts and full-width signs as ASCII,
 * and a long vowel sign between digits as a hyphen; and the same without letters next to digits, because some scripts
 * write no space there. All three are searched, because addresses do have letters next to digits.
 */
export function readingsOf(text: string): Reading[] {
  if (!/\P{ASCII}/u.test(text)) return [{ text, spanOf: (span) => span }];
  const { text: short, spanOf } = withShortDigits(text);
  const plain = short.replaceAll(/\p{Zs}/gu, ' ').replaceAll(/[\u2010-\u2012]/g, '-');
  const narrow = plain
    .replaceAll(/[（）＋－．／−]?(?![0-9])\p{Nd}[（）＋－．／−]?|(?<!\p{N})：/gu, narrowed)
    .replaceAll(/(?<=\d)ー(?=\d)/g, '-');
  const apart = narrow.replaceAll(/[\p{Lo}ー](?=[(+]?\d)|(?<=\d)[\p{Lo}ー]/gu, ({ length }) =>
    '、'.repeat(length),
  );
  return Array.from(new Set([plain, narrow, apart]), (reading) => ({ text: reading, spanOf }));
}

/** Replaces each full-width sign and each digit with its ASCII form. */
function narrowed(signs: string): string {
  return signs
    .replaceAll('−', '-')
    .replaceAll(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH))
    .replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)));
}

/** Full-width signs have the codes of ASCII, and this much more. */
const FULL_WIDTH = 0xfee0;

/** Replaces each digit that takes two UTF-16 units with the full-width one, which takes one. */
function withShortDigits(text: string): Reading {
  const shortened: number[] = [];
  const short = text.replaceAll(/(?=[\u{10000}-\u{10ffff}])\p{Nd}/gu, (digit, at: number) => {
    shortened.push(at - shortened.length);
    return String.fromCharCode(FULL_WIDTH + 0x30 + valueOf(digit));
  });
  const original = (position: number) => position + countBelow(shortened, position);
  return { text: short, spanOf: ({ start, end }) => ({ start: original(start), end: original(end) }) };
}

/** Returns how many numbers of a sorted list are less than `limit`. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
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
