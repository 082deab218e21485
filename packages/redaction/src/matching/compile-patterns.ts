import { base64Cores } from './encodings.js';
import { foldBase64, foldUnit, unfoldBase64, unfoldUnit } from './fold.js';
import { LONGEST_LINE_BREAK, PatternTrie } from './pattern-trie.js';
import { BACKSLASH, LONGEST_ENCODED_UNIT } from './read-encoded.js';
import { LONGEST_WINDOW, StartTable } from './start-table.js';

/** A shorter value would be found in unrelated texts. */
export const SHORTEST_FOUND_VALUE = 4;

/** Known values, compiled to a table of possible start positions and two tries. */
export interface Patterns {
  readonly plain: PatternTrie;
  readonly base64: PatternTrie;
  readonly starts: StartTable;
  /** No match is shorter than this many characters. */
  readonly shortest: number;
  /** No match, in any encoding, is longer than this many characters. */
  readonly longest: number;
}

/** A pattern's folded letters. */
type Units = Uint8Array | Uint16Array;

/** The first folded letters of a pattern, and a function that returns all letters folded to one. */
interface Head {
  units: readonly number[];
  unfold: (unit: number) => number[];
}

/** Collects values one by one and compiles them to {@link Patterns}. */
export class PatternCompiler {
  readonly #plain = new PatternTrie({ fold: foldUnit, skipsLineBreaks: false });
  readonly #base64 = new PatternTrie({ fold: foldBase64, skipsLineBreaks: true });
  readonly #heads: Head[] = [];
  #shortest = Number.POSITIVE_INFINITY;
  #mostUnits = 0;
  #longest = 0;

  /** Adds a value in all its forms. Returns false if it is too short to be found inside a text. */
  addValue(value: string, id: number): boolean {
    if (!this.#addPlain(value, id)) return false;
    const slug = slugOf(value);
    if (slug !== value) this.#addPlain(slug, id);
    this.#addBase64(value, id);
    const escaped = JSON.stringify(value).slice(1, -1);
    if (escaped !== value) this.#addBase64(escaped, id);
    return true;
  }

  /** Adds a text that is kept unchanged, with all values that are entirely inside it. */
  addKept(text: string): void {
    const units = plainUnits(text);
    this.#plain.addKept(units);
    this.#addHead(units, unfoldUnit, LONGEST_ENCODED_UNIT);
  }

  compile(): Patterns {
    const starts = new StartTable(this.#shortest, this.#mostUnits);
    for (const { units, unfold } of this.#heads) starts.add(units, unfold);
    return {
      plain: this.#plain,
      base64: this.#base64,
      starts,
      shortest: this.#shortest,
      longest: this.#longest,
    };
  }

  #addPlain(text: string, id: number): boolean {
    const units = plainUnits(text);
    if (units.length < SHORTEST_FOUND_VALUE) return false;
    this.#plain.addValue(units, id);
    this.#addHead(units, unfoldUnit, LONGEST_ENCODED_UNIT);
    return true;
  }

  #addBase64(text: string, id: number): void {
    for (const { letters, endings } of base64Cores(text)) {
      this.#base64.addValue(letters, id, endings);
      this.#addHead(letters, unfoldBase64, LONGEST_ENCODED_UNIT * (1 + LONGEST_LINE_BREAK));
    }
  }

  #addHead(units: Units, unfold: (unit: number) => number[], longestUnit: number): void {
    this.#shortest = Math.min(this.#shortest, units.length);
    this.#mostUnits = Math.max(this.#mostUnits, units.length);
    this.#longest = Math.max(this.#longest, units.length * longestUnit);
    this.#heads.push({ units: Array.from(units.subarray(0, LONGEST_WINDOW)), unfold });
  }
}

/** Returns a value as it appears in an id derived from it. */
function slugOf(value: string): string {
  return value.toLowerCase().replaceAll(/\s+/g, '_');
}

/** Returns a value's folded letters. Repeated backslashes count as one, because every level of JSON doubles them. */
function plainUnits(value: string): Uint16Array {
  const units = new Uint16Array(value.length);
  let count = 0;
  for (let i = 0; i < value.length; i += 1) {
    const unit = foldUnit(value.charCodeAt(i));
    if (unit === BACKSLASH && count > 0 && units[count - 1] === BACKSLASH) continue;
    units[count] = unit;
    count += 1;
  }
  return units.subarray(0, count);
}
