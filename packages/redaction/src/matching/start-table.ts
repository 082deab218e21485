import { coarseClass } from './fold.js';
import { LONGEST_LINE_BREAK } from './pattern-trie.js';
import { BACKSLASH, escapeLetters, hexDigit, PERCENT } from './read-encoded.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** The most characters of line breaks between four letters. */
const MOST_SKIPPED = 3 * LONGEST_LINE_BREAK;
const FOURS_BITS = 13;
const BLOCKS_BITS = 15;
/** The number of letters in a block, which decides how far a window may move. */
const BLOCK = 3;
/** Shorter windows move too little to be worth it. */
const SHORTEST_WINDOW = 8;
/** The most letters of a pattern that are used here. */
export const LONGEST_WINDOW = 200;

/** Rules out positions of a text where no match can start. */
export class StartTable {
  /** The length of the shortest pattern, up to a limit; 0 if that is too short to move a window over the text. */
  readonly window: number;
  /** The length of the longest pattern. */
  readonly longest: number;
  /** By the low 7 bits of a letter and of the one after it. */
  readonly #pairs = new Uint8Array(1 << 14);
  /** By the low 7 bits of a letter. */
  readonly #letters = new Uint8Array(1 << 7);
  /** By the class of a first letter. */
  readonly #classes = new Uint8Array(1 << 7);
  /** By the hash of the classes of the first four letters. */
  readonly #fours = new Uint8Array(1 << FOURS_BITS);
  /** By the hash of the classes of a window's last letters: how far it may move without passing a pattern. */
  readonly #moves: Uint8Array;

  constructor(shortest: number, longest: number) {
    this.longest = longest;
    this.window = shortest < SHORTEST_WINDOW ? 0 : Math.min(shortest, LONGEST_WINDOW);
    this.#moves = new Uint8Array(this.window === 0 ? 0 : 1 << BLOCKS_BITS).fill(this.window - BLOCK + 1);
    for (const start of [BACKSLASH, PERCENT]) {
      this.#pairs.fill(1, start << 7, (start + 1) << 7);
      this.#letters[start] = 1;
    }
  }

  /** Adds a pattern by its first folded letters, four or more. */
  add(units: readonly number[], unfold: (unit: number) => number[]): void {
    const [first = 0, second = 0, third = 0, fourth = 0] = units;
    this.#classes[coarseClass(first)] = 1;
    this.#fours[hashFour(classesOf(first, second, third, fourth))] = 1;
    for (const start of unfold(first)) {
      this.#letters[start & 0x7f] = 1;
      for (const next of [...unfold(second), BACKSLASH, PERCENT, LINE_FEED, CARRIAGE_RETURN]) {
        this.#pairs[((start & 0x7f) << 7) | (next & 0x7f)] = 1;
      }
    }
    for (let at = 0; at + BLOCK <= this.window; at += 1) {
      const block = hashBlock(units[at] ?? 0, units[at + 1] ?? 0, units[at + 2] ?? 0);
      this.#moves[block] = Math.min(this.#moves[block] ?? 0, this.window - BLOCK - at);
    }
  }

  /** Checks every position in a part of a text. Returns the first where a match may start; the part's end if none. */
  nextIn(text: string, from: number, end: number): number {
    const pairs = this.#pairs;
    const last = text.length - 1;
    const stop = Math.min(end, last);
    let code = text.charCodeAt(from) & 0x7f;
    for (let at = from; at < stop; at += 1) {
      const next = text.charCodeAt(at + 1) & 0x7f;
      if (pairs[(code << 7) | next] === 1 && this.#mayStart(text, at)) return at;
      code = next;
    }
    return from < end && end > last && this.#letters[text.charCodeAt(last) & 0x7f]
      ? Math.max(from, last)
      : end;
  }

  /**
   * Does the same for a part without encoded letters, by moving a window over it. The window stops where it no longer
   * fits; `mayStart` says whether a match may start at its position.
   */
  nextWindow(text: string, from: number, end: number): { at: number; mayStart: boolean } {
    const moves = this.#moves;
    const reach = this.window - 1;
    let at = from;
    while (at + reach < end) {
      const last = at + reach;
      const block = hashBlock(text.charCodeAt(last - 2), text.charCodeAt(last - 1), text.charCodeAt(last));
      const move = moves[block] ?? 1;
      if (move === 0 && this.#mayStart(text, at)) return { at, mayStart: true };
      at += Math.max(move, 1);
    }
    return { at, mayStart: false };
  }

  #mayStart(text: string, at: number): boolean {
    const first = text.charCodeAt(at);
    if (first === BACKSLASH) return this.#mayStartEscape(text.charCodeAt(at + 1));
    if (first === PERCENT) return this.#mayStartPercent(text, at);
    return this.#startsFour(text, at, first, false) || this.#startsFour(text, at, first, true);
  }

  /** Whether four letters begin a pattern, with or without line breaks between them; true if they are not known. */
  #startsFour(text: string, at: number, first: number, skipsBreaks: boolean): boolean {
    let classes = coarseClass(first);
    let next = at + 1;
    let skipped = 0;
    for (let letters = 1; letters < 4; next += 1) {
      if (next >= text.length) return true;
      const code = text.charCodeAt(next);
      if (code === BACKSLASH || code === PERCENT) return true;
      if (skipsBreaks && (code === LINE_FEED || code === CARRIAGE_RETURN)) {
        skipped += 1;
        if (skipped > MOST_SKIPPED) return false;
        continue;
      }
      classes = (classes << 7) | coarseClass(code);
      letters += 1;
    }
    if (skipsBreaks && skipped === 0) return false;
    return this.#fours[hashFour(classes)] === 1;
  }

  #mayStartEscape(letter: number): boolean {
    if (this.#classes[coarseClass(BACKSLASH)]) return true;
    const meant = escapeLetters.get(letter);
    if (meant !== undefined) return this.#classes[coarseClass(meant)] === 1;
    // A run, a hexadecimal escape, an encoded letter, or the end of the text.
    return (
      letter === BACKSLASH || letter === PERCENT || letter === 0x75 || letter === 0x78 || Number.isNaN(letter)
    );
  }

  #mayStartPercent(text: string, at: number): boolean {
    if (at + 2 >= text.length || this.#classes[coarseClass(PERCENT)]) return true;
    const high = hexDigit(text.charCodeAt(at + 1));
    const low = hexDigit(text.charCodeAt(at + 2));
    if (high < 0 || low < 0) return false;
    const byte = high * 16 + low;
    return byte >= 0x80 || byte === PERCENT || byte === BACKSLASH || this.#classes[coarseClass(byte)] === 1;
  }
}

function classesOf(...letters: number[]): number {
  return letters.reduce((classes, letter) => (classes << 7) | coarseClass(letter), 0);
}

function hashFour(classes: number): number {
  return Math.imul(classes, 0x9e_37_79_b1) >>> (32 - FOURS_BITS);
}

function hashBlock(first: number, second: number, third: number): number {
  const classes = (coarseClass(first) << 14) | (coarseClass(second) << 7) | coarseClass(third);
  return Math.imul(classes, 0x9e_37_79_b1) >>> (32 - BLOCKS_BITS);
}
