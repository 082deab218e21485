import { BACKSLASH, PERCENT, readEncoded } from './read-encoded.js';

const UNIT_RANGE = 0x1_0000;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** A wrapped text has one line break, of one or two letters, between two of its lines. */
export const LONGEST_LINE_BREAK = 2;

/** To follow a reading takes as long as to look at so many letters. */
const WORK_OF_A_READING = 8;

interface Reading {
  node: number;
  at: number;
  /** How many letters of a line break were just skipped. */
  breaks: number;
}

/** What was found at one place of a text. Ends are 0 where nothing was found. */
export interface Walk {
  /** Where the longest value that starts here ends. */
  valueEnd: number;
  /** Which value that is. */
  valueId: number;
  /** Where the longest protected text that starts here ends. */
  keptEnd: number;
  /** Whether the text ends inside something that may still become a longer find. */
  isCut: boolean;
}

/** Where the rest of what started before a text is looked for. */
export interface RestWalk {
  start: number;
  /** How many characters at most were read of it before the text. */
  read: number;
  /** How many letters may be looked at. */
  budget: number;
}

export interface PatternTrieOptions {
  /** Brings letters that count as equal to one form. */
  fold: (unit: number) => number;
  /** Whether a single line break between two letters is skipped, as in wrapped base64. */
  skipsLineBreaks: boolean;
}

/** Patterns as a tree of letters, read over a text in every encoding of its letters. */
export class PatternTrie {
  readonly #options: PatternTrieOptions;
  readonly #edges = new Map<number, number>();
  readonly #valueIds: (number | undefined)[] = [undefined];
  readonly #isKept: boolean[] = [false];
  readonly #isInner: boolean[] = [false];
  readonly #depths: number[] = [0];
  /** By letter: see {@link PatternTrie.walkRests}. Made when it is asked for. */
  #behind: Map<number, number[]> | undefined;

  constructor(options: PatternTrieOptions) {
    this.#options = options;
  }

  /** Adds a value, given by its folded letters; the first value of equal ones stays. */
  addValue(units: Iterable<number>, id: number): void {
    const node = this.#nodeOf(units);
    this.#valueIds[node] ??= id;
  }

  /** Adds a text inside which no value is looked for. */
  addKept(units: Iterable<number>): void {
    this.#isKept[this.#nodeOf(units)] = true;
  }

  #nodeOf(units: Iterable<number>): number {
    let node = 0;
    for (const unit of units) {
      const key = node * UNIT_RANGE + unit;
      let next = this.#edges.get(key);
      if (next === undefined) {
        next = this.#valueIds.length;
        this.#valueIds.push(undefined);
        this.#isKept.push(false);
        this.#isInner.push(false);
        this.#depths.push((this.#depths[node] ?? 0) + 1);
        this.#edges.set(key, next);
        this.#isInner[node] = true;
      }
      node = next;
    }
    return node;
  }

  /** Adds what starts at this place to what was found there already. Answers how many letters it looked at. */
  walk(text: string, start: number, found: Walk): number {
    return this.#walkFrom(0, text, start, found);
  }

  /**
   * The same for the rest of what started before the text, of which `read` characters at most were read there. Looks
   * at so many letters at most, and answers how many of them are left: below zero if it has not looked everywhere.
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
      for (const node of this.#nodesBehind(first)) {
        if (left < 0) return;
        left -= 1;
        const reached = second === undefined ? node : this.#step(node, second);
        if (reached === undefined || (this.#depths[node] ?? 0) > read + 1) continue;
        this.#record(reached, next, found);
        left -= this.#walkFrom(reached, text, next, found);
      }
    };
    const code = text.charCodeAt(start);
    if (code !== BACKSLASH && code !== PERCENT) follow(code, start + 1);
    else if (readEncoded(text, start, follow)) found.isCut = true;
    return left;
  }

  /** The nodes that this letter leads to from any node but the first. */
  #nodesBehind(unit: number): readonly number[] {
    if (this.#behind === undefined) {
      this.#behind = new Map();
      for (const [key, node] of this.#edges) {
        if (key < UNIT_RANGE) continue;
        const nodes = this.#behind.get(key % UNIT_RANGE);
        if (nodes === undefined) this.#behind.set(key % UNIT_RANGE, [node]);
        else nodes.push(node);
      }
    }
    return this.#behind.get(unit) ?? [];
  }

  /** Answers how many letters it looked at. */
  #walkFrom(fromNode: number, text: string, start: number, found: Walk): number {
    let node = fromNode;
    let at = start;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH || code === PERCENT || this.#isSkipped(code)) {
        return at - start + this.#walkEncoded(text, node, at, found);
      }
      const next = this.#edges.get(node * UNIT_RANGE + this.#options.fold(code));
      if (next === undefined) return at - start;
      node = next;
      this.#record(node, at + 1, found);
    }
    if (this.#isInner[node]) found.isCut = true;
    return at - start;
  }

  /** Follows all readings at once. A reading is a node and a place; equal ones are followed once. */
  #walkEncoded(text: string, fromNode: number, from: number, found: Walk): number {
    const readings: Reading[] = [{ node: fromNode, at: from, breaks: 0 }];
    const known = new Set<number>();
    for (const reading of readings) {
      if (!this.#isInner[reading.node]) continue;
      if (reading.at >= text.length) {
        found.isCut = true;
        continue;
      }
      const reach = (codePoint: number, next: number) => {
        const reached = this.#reach(reading, codePoint, next, reading.node > 0);
        if (reached === undefined) return;
        const key = (reached.node * (text.length + 1) + next) * (LONGEST_LINE_BREAK + 1) + reached.breaks;
        if (known.has(key)) return;
        known.add(key);
        readings.push(reached);
        this.#record(reached.node, next, found);
      };
      const code = text.charCodeAt(reading.at);
      if (code !== BACKSLASH && code !== PERCENT) reach(code, reading.at + 1);
      else if (readEncoded(text, reading.at, reach)) found.isCut = true;
    }
    return readings.length * WORK_OF_A_READING;
  }

  #reach(from: Reading, codePoint: number, next: number, isInside: boolean): Reading | undefined {
    if (isInside && this.#isSkipped(codePoint)) {
      return from.breaks < LONGEST_LINE_BREAK
        ? { node: from.node, at: next, breaks: from.breaks + 1 }
        : undefined;
    }
    const node = this.#step(from.node, codePoint);
    return node === undefined ? undefined : { node, at: next, breaks: 0 };
  }

  #isSkipped(code: number): boolean {
    return this.#options.skipsLineBreaks && (code === LINE_FEED || code === CARRIAGE_RETURN);
  }

  #step(node: number, codePoint: number): number | undefined {
    const { fold } = this.#options;
    if (codePoint < UNIT_RANGE) return this.#edges.get(node * UNIT_RANGE + fold(codePoint));
    const [high, low] = surrogates(codePoint);
    const middle = this.#edges.get(node * UNIT_RANGE + high);
    return middle === undefined ? undefined : this.#edges.get(middle * UNIT_RANGE + low);
  }

  #record(node: number, end: number, found: Walk): void {
    const id = this.#valueIds[node];
    if (id !== undefined && end > found.valueEnd) {
      found.valueEnd = end;
      found.valueId = id;
    }
    if (this.#isKept[node] && end > found.keptEnd) found.keptEnd = end;
  }
}

function surrogates(codePoint: number): [high: number, low: number] {
  const offset = codePoint - UNIT_RANGE;
  return [0xd8_00 + (offset >> 10), 0xdc_00 + (offset & 0x3_ff)];
}
