import { type Patterns, SHORTEST_FOUND_VALUE } from './compile-patterns.js';
import { type Walk, walkFrom } from './pattern-trie.js';
import { BACKSLASH, LONGEST_ENCODED_UNIT, LONGEST_ESCAPE_RUN } from './read-encoded.js';
import { StartCursor } from './start-cursor.js';

/** A part of a text that is a value. It may begin inside the previous match, and then ends after it. */
export interface Match {
  start: number;
  end: number;
  valueId: number;
}

/** What is already known about the beginning of a text that continues an earlier one. */
export interface ScanStart {
  /** The number of first characters that are part of an earlier match, or of a kept text. */
  settled: number;
  /** Whether those characters are kept; false if they were already replaced. */
  isKept: boolean;
  /** How far it has been read. Without it the text is read again, with the same result. */
  open?: OpenWalks | undefined;
}

/** How far both tries have read from the first character on. */
export interface OpenWalks {
  plain: Walk | undefined;
  base64: Walk | undefined;
}

export interface Scan extends ScanStart {
  matches: Match[];
  /** The start of the part that may still become a value once there is more text; the length if there is none. */
  heldFrom: number;
  /** The start of the part that would take too long to search. */
  unsearchedFrom?: number;
}

/** How many letters may be compared per letter of a text. Only very repetitive values take more. */
const WORK_PER_LETTER = 64;
/** How many more may be compared per text. */
const WORK_PER_TEXT = 2_000_000;

const nothingSettled: ScanStart = { settled: 0, isKept: false };

/**
 * Finds values from left to right, the longest of those that start at the same position. A value that begins inside
 * another and ends after it is found as well. Without `isLast`, the scan stops where the text's end might cut a value.
 * Text that would take too long to search counts as a match of the first value.
 */
export function scan(
  patterns: Patterns,
  text: string,
  isLast = true,
  from: ScanStart = nothingSettled,
): Scan {
  const matches: Match[] = [];
  let { settled, isKept } = from;
  const end = isLast ? text.length - patterns.shortest + 1 : text.length;
  const cursor = new StartCursor(patterns.starts, text, end);
  let left = WORK_PER_TEXT + WORK_PER_LETTER * text.length;
  for (let at = from.open ? 0 : cursor.next(0); at < end; at = cursor.next(at + 1)) {
    const start = text.charCodeAt(at) === BACKSLASH ? escapeStart(text, at) : at;
    const found = walkBoth(patterns, text, start, start === 0 ? from.open : undefined);
    left -= found.work;
    if (left < 0) {
      if (settled < text.length)
        matches.push({ start: Math.max(start, settled), end: text.length, valueId: 0 });
      return { matches, heldFrom: text.length, settled: 0, isKept: false, unsearchedFrom: start };
    }
    if (found.isCut && !isLast) {
      const open = start === 0 ? found.open : undefined;
      return { matches, heldFrom: start, settled: Math.max(0, settled - start), isKept, open };
    }
    if (found.keptEnd > found.valueEnd && found.keptEnd > settled && (isKept || start >= settled)) {
      settled = found.keptEnd;
      isKept = true;
    } else if (found.valueEnd > settled) {
      matches.push({ start, end: found.valueEnd, valueId: found.valueId });
      settled = found.valueEnd;
      isKept = false;
    }
    if (start > at) at = start;
  }
  return { matches, heldFrom: text.length, settled: 0, isKept: false };
}

/** Returns what both tries find from a position on, of which they may already have read a part. */
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
  /** The end of the rest; 0 if there is none. */
  end: number;
  valueId: number;
  /** Whether more text may change this. */
  isCut: boolean;
  /** Whether finding it would take too long. */
  isUndecided: boolean;
}

/** How many letters may be compared for the rest in one text. Only very repetitive values take more. */
const WORK_PER_REST = 250_000;

/**
 * Finds the rest of a value whose first characters, `lost` at most, are not known. It starts with the text, or after
 * the rest of an encoded character; there it counts only if it is long enough to be found anywhere.
 */
export function scanRest({ plain, base64 }: Patterns, text: string, lost: number): Rest {
  const found = walkFrom(0);
  const lastStart = encodedRest(text);
  let budget = WORK_PER_REST;
  for (let start = 0; start <= lastStart && budget >= 0; start += 1) {
    const here = walkFrom(start);
    for (const trie of [plain, base64]) budget = trie.walkRests(text, { start, read: lost, budget }, here);
    found.isCut ||= here.isCut;
    const isEnough = start === 0 || here.valueEnd - start >= SHORTEST_FOUND_VALUE;
    if (isEnough && here.valueEnd > found.valueEnd) Object.assign(found, here, { isCut: found.isCut });
  }
  const { valueEnd: end, valueId, isCut } = found;
  return { end, valueId, isCut, isUndecided: budget < 0 };
}

/** Returns how many of the first characters may be the rest of an encoded one, or of a line break in base64. */
function encodedRest(text: string): number {
  return partOfEncoded.exec(text.slice(0, LONGEST_ENCODED_UNIT))?.[0].length ?? 0;
}

/** Hexadecimal digits or the letter of an escape, and more of them after `%` and `\`. */
const partOfEncoded = /^(?:["'/nrt]|[ux]?[\da-f]{0,6})(?:[%\\\r\n]+(?:["'/nrt]|[ux]?[\da-f]{0,6}))*/i;

/** Returns the start of the escape at the end of this run of backslashes. A run of any length is read once. */
function escapeStart(text: string, from: number): number {
  let end = from;
  while (text.charCodeAt(end) === BACKSLASH) end += 1;
  return Math.max(from, end - LONGEST_ESCAPE_RUN);
}
