import { type Patterns, SHORTEST_FOUND_VALUE } from './compile-patterns.js';
import { type Walk, walkFrom } from './pattern-trie.js';
import { BACKSLASH, LONGEST_ENCODED_UNIT, LONGEST_ESCAPE_RUN } from './read-encoded.js';
import { StartCursor } from './start-cursor.js';

/** A part of a text that a value takes. It may begin inside the one before it, and then ends after it. */
export interface Find {
  start: number;
  end: number;
  valueId: number;
}

/** What is already known of the beginning of a text that goes on from an earlier one. */
export interface ScanStart {
  /** How many of the first characters are part of an earlier find, or of a text that is kept. */
  settled: number;
  /** Whether those characters are kept, rather than replaced already. */
  isKept: boolean;
  /** How far it was read already. Without it the same is found, by reading it again. */
  open?: OpenWalks | undefined;
}

/** How far both trees have read from the first character on. */
export interface OpenWalks {
  plain: Walk | undefined;
  base64: Walk | undefined;
}

export interface Scan extends ScanStart {
  finds: Find[];
  /** Where the part starts that may still turn out to be a value once more text comes; the length if there is none. */
  heldFrom: number;
  /** Where the rest of the text starts that it would take too long to look through. */
  unclearFrom?: number;
}

/** So many letters are looked at for each letter of a text. Only values that repeat themselves very often take more. */
const MOST_FOR_A_LETTER = 64;
/** And so many more for each text. */
const MOST_FOR_A_TEXT = 2_000_000;

const nothingSettled: ScanStart = { settled: 0, isKept: false };

/**
 * Finds values from left to right, the longest first where several start. A value that begins inside another and ends
 * after it is found as well. Without `isLast`, the scan stops where the text's end might cut a value. What would take too
 * long to look through counts as a find of the first value.
 */
export function scan(
  patterns: Patterns,
  text: string,
  isLast = true,
  from: ScanStart = nothingSettled,
): Scan {
  const finds: Find[] = [];
  let { settled, isKept } = from;
  const end = isLast ? text.length - patterns.shortest + 1 : text.length;
  const cursor = new StartCursor(patterns.starts, text, end);
  let left = MOST_FOR_A_TEXT + MOST_FOR_A_LETTER * text.length;
  for (let at = from.open ? 0 : cursor.next(0); at < end; at = cursor.next(at + 1)) {
    const start = text.charCodeAt(at) === BACKSLASH ? escapeStart(text, at) : at;
    const found = walkBoth(patterns, text, start, start === 0 ? from.open : undefined);
    left -= found.work;
    if (left < 0) {
      if (settled < text.length)
        finds.push({ start: Math.max(start, settled), end: text.length, valueId: 0 });
      return { finds, heldFrom: text.length, settled: 0, isKept: false, unclearFrom: start };
    }
    if (found.isCut && !isLast) {
      const open = start === 0 ? found.open : undefined;
      return { finds, heldFrom: start, settled: Math.max(0, settled - start), isKept, open };
    }
    if (found.keptEnd > found.valueEnd && found.keptEnd > settled && (isKept || start >= settled)) {
      settled = found.keptEnd;
      isKept = true;
    } else if (found.valueEnd > settled) {
      finds.push({ start, end: found.valueEnd, valueId: found.valueId });
      settled = found.valueEnd;
      isKept = false;
    }
    if (start > at) at = start;
  }
  return { finds, heldFrom: text.length, settled: 0, isKept: false };
}

/** What both trees find from a place on, of which they may have read a part already. */
function walkBoth({ plain, base64 }: Patterns, text: string, start: number, open: OpenWalks | undefined) {
  const inPlain = open?.plain ? { ...open.plain } : walkFrom(start);
  const inBase64 = open?.base64 ? { ...open.base64 } : walkFrom(start);
  const next: OpenWalks = { plain: plain.walk(text, inPlain), base64: base64.walk(text, inBase64) };
  const { valueEnd, valueId } = inBase64.valueEnd > inPlain.valueEnd ? inBase64 : inPlain;
  return {
    valueEnd,
    valueId,
    keptEnd: inPlain.keptEnd,
    isCut: inPlain.isCut || inBase64.isCut,
    work: inPlain.work + inBase64.work,
    open: next,
  };
}

/** The rest of a value that began before a text. */
export interface Rest {
  /** Where it ends; 0 if there is none. */
  end: number;
  valueId: number;
  /** Whether more text may still tell otherwise. */
  isCut: boolean;
  /** Whether it would take too long to say. */
  isUnclear: boolean;
}

/** So many letters may be looked at for one text: only values that repeat themselves very often take more. */
const MOST_LETTERS = 250_000;

/**
 * Finds the rest of a value whose beginning is not known, but for that it had `lost` characters. It starts with the
 * text, or after the rest of an encoded character; there it counts only if it is long enough to be found anywhere.
 */
export function scanRest({ plain, base64 }: Patterns, text: string, lost: number): Rest {
  const found = walkFrom(0);
  const lastStart = encodedRest(text);
  let budget = MOST_LETTERS;
  for (let start = 0; start <= lastStart && budget >= 0; start += 1) {
    const here = walkFrom(start);
    for (const trie of [plain, base64]) budget = trie.walkRests(text, { start, read: lost, budget }, here);
    found.isCut ||= here.isCut;
    const isEnough = start === 0 || here.valueEnd - start >= SHORTEST_FOUND_VALUE;
    if (isEnough && here.valueEnd > found.valueEnd) Object.assign(found, here, { isCut: found.isCut });
  }
  const { valueEnd: end, valueId, isCut } = found;
  return { end, valueId, isCut, isUnclear: budget < 0 };
}

/** How many of the first characters of a text may be the rest of an encoded one, or of a line break in base64. */
function encodedRest(text: string): number {
  return partOfEncoded.exec(text.slice(0, LONGEST_ENCODED_UNIT))?.[0].length ?? 0;
}

/** Hexadecimal digits or the letter of an escape, and more of the same behind `%` and `\`. */
const partOfEncoded = /^(?:["'/nrt]|[ux]?[\da-f]{0,6})(?:[%\\\r\n]+(?:["'/nrt]|[ux]?[\da-f]{0,6}))*/i;

/** Where the escape starts that this run of backslashes ends with. A run of any length is read once. */
function escapeStart(text: string, from: number): number {
  let end = from;
  while (text.charCodeAt(end) === BACKSLASH) end += 1;
  return Math.max(from, end - LONGEST_ESCAPE_RUN);
}
