import { LetterTree } from './letter-tree.js';
import { BACKSLASH, PERCENT, readEncoded } from './read-encoded.js';

const UNIT_RANGE = 0x1_0000;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** A line break between two lines of a wrapped text has one or two characters. */
export const LONGEST_LINE_BREAK = 2;

/** Following a reading takes as long as comparing this many letters. */
const WORK_PER_READING = 8;

/** One way to read the text so far: the node reached, and the position to continue from. */
interface Reading {
  node: number;
  at: number;
  /** The number of letters of a line break that were just skipped. */
  breaks: number;
}

/** What was found from one position of a text on, and how far it was read. An end is 0 if nothing was found. */
export interface Walk {
  /** The node and the position to continue from. */
  node: number;
  at: number;
  /** The number of letters compared. */
  work: number;
  /** The end of the longest value that starts here. */
  valueEnd: number;
  /** The id of that value. */
  valueId: number;
  /** The end of the longest kept text that starts here. */
  keptEnd: number;
  /** Whether the text ends inside something that may still become a longer match. */
  isCut: boolean;
}

/** Returns a walk that begins at this position. */
export function walkFrom(start: number): Walk {
  return { node: 0, at: start, work: 0, valueEnd: 0, valueId: -1, keptEnd: 0, isCut: false };
}

/** How to search for the rest of a pattern that began before the text. */
export interface RestWalk {
  start: number;
  /** The most characters that may have come before the text. */
  read: number;
  /** The number of letters that may be compared. */
  budget: number;
}

export interface PatternTrieOptions {
  /** Maps letters that count as equal to one letter. */
  fold: (unit: number) => number;
  /** Whether a single line break between two letters is skipped, as in wrapped base64. */
  skipsLineBreaks: boolean;
}

/** Patterns as a tree of letters, compared with a text in every encoding of its letters. */
export class PatternTrie {
  readonly #options: PatternTrieOptions;
  readonly #tree = new LetterTree();

  constructor(options: PatternTrieOptions) {
    this.#options = options;
  }

  /** Adds a value by its folded letters, with one of `endings` after them. Of equal values, the first one counts. */
  addValue(units: ArrayLike<number>, id: number, endings: readonly number[] = []): void {
    const node = this.#tree.add(0, units);
    if (endings.length === 0) this.#tree.markValue(node, id);
    for (const ending of endings) this.#tree.markValue(this.#tree.add(node, [ending]), id);
  }

  /** Adds a text inside which no value is searched for. */
  addKept(units: ArrayLike<number>): void {
    this.#tree.markKept(this.#tree.add(0, units));
  }

  /**
   * Continues a walk to its end. Returns a copy of it at the last position up to which more text changes nothing, to
   * continue from once there is more; undefined if there is no such position.
   */
  walk(text: string, found: Walk): Walk | undefined {
    let { node, at } = found;
    let settled: Walk | undefined;
    for (;;) {
      const from = at;
      for (; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (this.#isSpecial(code)) break;
        const next = this.#tree.child(node, this.#options.fold(code));
        if (next < 0) {
          found.work += at - from;
          return settled;
        }
        node = next;
        this.#record(node, at + 1, found);
      }
      found.work += at - from;
      if (!found.isCut) settled = { ...found, node, at };
      if (at >= text.length) break;
      const encoded = this.#walkEncoded(text, { node, at, breaks: 0 }, found);
      found.work += encoded.work;
      if (encoded.last === undefined) return settled;
      ({ node, at } = encoded.last);
    }
    if (this.#tree.isInner(node)) found.isCut = true;
    return settled;
  }

  /**
   * Does the same for the rest of a pattern of which at most `read` characters came before the text. Compares at most
   * `budget` letters and returns how many of them are left; negative if it stopped before the end.
   */
  walkRests(text: string, { start, read, budget }: RestWalk, found: Walk): number {
    if (start >= text.length) {
      found.isCut = true;
      return budget;
    }
    let left = budget;
    const follow = (codePoint: number, next: number) => {
      const [first, second] =
        codePoint < UNIT_RANGE ? [this.#options.fold(codePoint)] : surrogates(codePoint);
      for (let node = this.#tree.nextWith(first, 0); node >= 0; node = this.#tree.nextWith(first, node)) {
        const depth = this.#tree.depthOf(node);
        if (depth === 1) continue;
        if (left < 0) return;
        left -= 1;
        const reached = second === undefined ? node : this.#tree.child(node, second);
        if (reached < 0 || depth > read + 1) continue;
        this.#record(reached, next, found);
        found.node = reached;
        found.at = next;
        found.work = 0;
        this.walk(text, found);
        left -= found.work;
      }
    };
    const code = text.charCodeAt(start);
    if (code !== BACKSLASH && code !== PERCENT) follow(code, start + 1);
    else if (readEncoded(text, start, follow)) found.isCut = true;
    return left;
  }

  /**
   * Follows all readings at once, until only one is left that is not between the letters of a line break. Equal
   * readings are followed once.
   */
  #walkEncoded(text: string, from: Reading, found: Walk): { work: number; last?: Reading } {
    const readings: Reading[] = [from];
    const known = new Set<number>();
    for (let i = 0; i < readings.length; i += 1) {
      const reading = readings[i] ?? from;
      if (!this.#tree.isInner(reading.node)) continue;
      if (reading.at >= text.length) {
        found.isCut = true;
        continue;
      }
      const code = text.charCodeAt(reading.at);
      const isLast = i > 0 && i === readings.length - 1;
      if (isLast && (reading.breaks === 0 || !this.#isSpecial(code)))
        return { work: i * WORK_PER_READING, last: reading };
      const reach = (codePoint: number, next: number) => {
        const reached = this.#reach(reading, codePoint, next);
        if (reached === undefined) return;
        const key = (reached.node * (text.length + 1) + next) * (LONGEST_LINE_BREAK + 1) + reached.breaks;
        if (known.has(key)) return;
        known.add(key);
        readings.push(reached);
        this.#record(reached.node, next, found);
      };
      if (code !== BACKSLASH && code !== PERCENT) reach(code, reading.at + 1);
      else if (readEncoded(text, reading.at, reach)) found.isCut = true;
    }
    return { work: readings.length * WORK_PER_READING };
  }

  /** Whether a letter may start an encoded one, or be skipped. */
  #isSpecial(code: number): boolean {
    return code === BACKSLASH || code === PERCENT || this.#isSkipped(code);
  }

  #reach(from: Reading, codePoint: number, next: number): Reading | undefined {
    if (from.node > 0 && this.#isSkipped(codePoint)) {
      return from.breaks < LONGEST_LINE_BREAK
        ? { node: from.node, at: next, breaks: from.breaks + 1 }
        : undefined;
    }
    const node = this.#step(from.node, codePoint);
    return node < 0 ? undefined : { node, at: next, breaks: 0 };
  }

  #isSkipped(code: number): boolean {
    return this.#options.skipsLineBreaks && (code === LINE_FEED || code === CARRIAGE_RETURN);
  }

  #step(node: number, codePoint: number): number {
    if (codePoint < UNIT_RANGE) return this.#tree.child(node, this.#options.fold(codePoint));
    const [high, low] = surrogates(codePoint);
    const middle = this.#tree.child(node, high);
    return middle < 0 ? middle : this.#tree.child(middle, low);
  }

  #record(node: number, end: number, found: Walk): void {
    const id = this.#tree.valueAt(node);
    if (id !== undefined && end > found.valueEnd) {
      found.valueEnd = end;
      found.valueId = id;
    }
    if (this.#tree.isKeptAt(node) && end > found.keptEnd) found.keptEnd = end;
  }
}

function surrogates(codePoint: number): [high: number, low: number] {
  const offset = codePoint - UNIT_RANGE;
  return [0xd8_00 + (offset >> 10), 0xdc_00 + (offset & 0x3_ff)];
}
