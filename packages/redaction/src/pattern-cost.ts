/** Patterns are only tried on texts up to this many characters. */
export const LONGEST_PATTERN_TEXT = 256;

/** The deepest nesting of groups. Nobody nests deeper by hand. */
const DEEPEST_GROUP = 100;

/** Thrown inside this file alone, for syntax whose cost is not known. */
class UnknownCost extends Error {}

/**
 * Returns how many paths a backtracking matcher may have to try on a text of this length, as a power of two: the choices
 * of every repetition and alternative, multiplied along the pattern. Undefined for look-around and back-references,
 * which this does not bound.
 */
export function patternCost(pattern: string, textLength = LONGEST_PATTERN_TEXT): number | undefined {
  try {
    return new CostReader(pattern, textLength).whole();
  } catch (error) {
    if (error instanceof UnknownCost) return undefined;
    throw error;
  }
}

class CostReader {
  readonly #pattern: string;
  readonly #textLength: number;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, textLength: number) {
    this.#pattern = pattern;
    this.#textLength = textLength;
  }

  whole(): number {
    const cost = this.alternatives();
    // The part after a `)` that closes nothing has not been read.
    if (this.#at < this.#pattern.length) throw new UnknownCost();
    return cost;
  }

  /** Alternatives up to the end of their group or of the pattern. */
  alternatives(): number {
    const costs = [this.#sequence()];
    while (this.#takes('|')) costs.push(this.#sequence());
    return Math.max(...costs) + Math.log2(costs.length);
  }

  #sequence(): number {
    let cost = 0;
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#peek())) {
      const atom = this.#atom();
      cost += this.#repetition(atom);
    }
    return cost;
  }

  #atom(): number {
    const first = this.#next();
    if (first === '(') return this.#group();
    if (first === '[') this.#skipClass();
    if (first === '\\') this.#skipEscape();
    return 0;
  }

  #group(): number {
    if (this.#takes('?') && !this.#takes(':') && !this.#hasName()) throw new UnknownCost();
    this.#depth += 1;
    if (this.#depth > DEEPEST_GROUP) throw new UnknownCost();
    const cost = this.alternatives();
    this.#depth -= 1;
    this.#takes(')');
    return cost;
  }

  /** The name of a group is then read like other letters, which cost nothing. */
  #hasName(): boolean {
    return /^<\w+>/.test(this.#pattern.slice(this.#at));
  }

  #skipClass(): void {
    while (this.#at < this.#pattern.length && this.#peek() !== ']') {
      if (this.#next() === '\\') this.#at += 1;
    }
    this.#at += 1;
  }

  #skipEscape(): void {
    const escaped = this.#next();
    if (/[1-9k]/.test(escaped)) throw new UnknownCost();
    const rest = /^\{[^}]*\}/.exec(this.#pattern.slice(this.#at))?.[0];
    if (/[pPu]/.test(escaped)) this.#at += rest?.length ?? 0;
  }

  /** `n` repetitions choose `n` times inside, and once their number. */
  #repetition(atom: number): number {
    const found = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/.exec(this.#pattern.slice(this.#at));
    if (!found) return atom;
    this.#at += found[0].length;
    const [least, most] = bounds(found);
    return atom * Math.min(most, this.#textLength) + Math.log2(Math.min(most - least, this.#textLength) + 1);
  }

  #peek(): string {
    return this.#pattern.charAt(this.#at);
  }

  #next(): string {
    this.#at += 1;
    return this.#pattern.charAt(this.#at - 1);
  }

  #takes(letter: string): boolean {
    if (this.#peek() !== letter) return false;
    this.#at += 1;
    return true;
  }
}

function bounds([sign = '', least, comma, most]: RegExpExecArray): [least: number, most: number] {
  if (least !== undefined) {
    const exact = Number(least);
    if (comma === undefined) return [exact, exact];
    return [exact, most ? Number(most) : Number.POSITIVE_INFINITY];
  }
  if (sign.startsWith('?')) return [0, 1];
  return [sign.startsWith('+') ? 1 : 0, Number.POSITIVE_INFINITY];
}
