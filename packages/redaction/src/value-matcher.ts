import { PatternCompiler, type Patterns, SHORTEST_FOUND_VALUE } from './matching/compile-patterns.js';
import { type Rest, type Scan, type ScanStart, scan, scanRest } from './matching/scan.js';
import { placeholder } from './placeholders.js';
import { type KnownText, type PrivateValue, knownTexts } from './private-value.js';
import { type JsonScrubber, scrubJson } from './scrub-json.js';

/** How a matcher replaces what it finds. */
export interface ValueMatcherOptions {
  /**
   * What stands in place of a value. It gets the value's data name.
   * @default placeholder, which gives `{_{name}_}`
   */
  replacement?: ((name: string) => string) | null | undefined;
}

/** A part of a text that a private value takes. */
export interface ValueMatch {
  /** The value's data name. */
  readonly name: string;
  /** The first character's place. */
  readonly start: number;
  /** The place after the last character. */
  readonly end: number;
}

/**
 * Known private values, ready to be found wherever they stand in a text: as they are (in any letter case that has as
 * many letters), JSON-escaped, URL-encoded (also repeatedly, also mixed), with `_` for white space as in ids, and in
 * base64 or base64url, also inside a longer encoded text. Made by {@link createValueMatcher}; it never changes, so it
 * can be shared and kept.
 */
export class ValueMatcher {
  /** Whether there is no value to find. */
  readonly isEmpty: boolean;
  /** Whether there are values that only `scrub` finds, because they are too short to be found inside a text. */
  readonly hasShortValues: boolean;
  /** No form of any value is longer than this many characters. */
  readonly longestForm: number;
  /** @internal So few characters tell nothing of a value that begins with them: three, and a quarter of the shortest. */
  readonly mostTold: number;
  readonly #patterns: Patterns | undefined;
  readonly #texts: readonly KnownText[];
  readonly #replacements: readonly string[];
  readonly #wholeTexts: ReadonlyMap<string, string>;
  readonly #numbers: ReadonlyMap<number | bigint, string>;
  readonly #scrubber: JsonScrubber;

  /** @internal Use {@link createValueMatcher}. */
  constructor(texts: readonly KnownText[], replacement: (name: string) => string) {
    this.#texts = texts;
    this.#replacements = texts.map(({ name }) => replacement(name));
    const compiler = new PatternCompiler();
    const isFoundInside = texts.map(({ text }, id) => compiler.addValue(text, id));
    const byText = texts.map(({ text }, id) => [text, this.#replacements[id] ?? ''] as const);
    this.#numbers = new Map(
      byText.flatMap(([text, shown]) => numbersOf(text).map((n) => [n, shown] as const)),
    );
    this.#wholeTexts = new Map(byText.filter((_, id) => !isFoundInside[id]));
    this.#patterns = isFoundInside.includes(true) ? this.#keepReplacements(compiler) : undefined;
    this.isEmpty = texts.length === 0;
    this.hasShortValues = this.#wholeTexts.size > 0;
    this.longestForm = this.#patterns?.longest ?? 0;
    this.mostTold = Math.min(SHORTEST_FOUND_VALUE - 1, (this.#patterns?.shortest ?? 0) >> 2);
    this.#scrubber = this.#createScrubber();
  }

  /** The parts of a text that private values take, from left to right. One may begin inside the one before it. */
  find(text: string): ValueMatch[] {
    return this.scan(text).finds.map(({ start, end, valueId }) => ({
      name: this.#texts[valueId]?.name ?? '',
      start,
      end,
    }));
  }

  /** Whether any private value stands in this text. */
  has(text: string): boolean {
    return this.scan(text).finds.length > 0;
  }

  /** The text with every private value replaced; the same text if it holds none. */
  replace(text: string): string {
    const result = this.scan(text);
    return result.finds.length === 0 ? text : this.render(text, result);
  }

  /**
   * A JSON value with every private value replaced, in strings and keys at any depth, and in numbers. Here a value
   * under four characters is found too, where it is a whole string or number. The same value comes back if it holds
   * none; what is given is never changed.
   */
  scrub(value: unknown): unknown {
    return this.isEmpty ? value : scrubJson(value, this.#scrubber);
  }

  /** Whether it was made of the same texts under the same names: then there is no need to make another one. */
  isMadeOf(values: Iterable<PrivateValue>): boolean {
    const texts = knownTexts(values);
    return (
      texts.length === this.#texts.length &&
      texts.every(({ name, text }, i) => name === this.#texts[i]?.name && text === this.#texts[i].text)
    );
  }

  /** @internal Finds in a text that may go on, for texts that come in parts. */
  scan(text: string, isLast = true, from?: ScanStart): Scan {
    if (this.#patterns === undefined || (isLast && text.length < this.#patterns.shortest)) {
      return { finds: [], heldFrom: text.length, settled: 0, isKept: false };
    }
    return scan(this.#patterns, text, isLast, from);
  }

  /** @internal The text that may be shown of a scanned one. */
  render(text: string, { finds, heldFrom }: Scan, from?: ScanStart): string {
    let shown = '';
    let at = from && !from.isKept ? from.settled : 0;
    for (const { start, end, valueId } of finds) {
      shown += text.slice(at, start) + (this.#replacements[valueId] ?? '');
      at = end;
    }
    return at < heldFrom ? shown + text.slice(at, heldFrom) : shown;
  }

  /** @internal Finds the rest of a value of which this many characters came before and are not known. */
  scanRest(text: string, lost: number): Rest & { replacement: string } {
    const rest =
      this.#patterns === undefined
        ? { end: 0, valueId: -1, isCut: false, isUnclear: false }
        : scanRest(this.#patterns, text, lost);
    return { ...rest, replacement: this.#replacements[rest.valueId] ?? '' };
  }

  #createScrubber(): JsonScrubber {
    const shortest = this.#patterns?.shortest ?? Number.POSITIVE_INFINITY;
    const replace = (text: string) => (text.length < shortest ? text : this.replace(text));
    const hasNumbers = this.#numbers.size > 0;
    return {
      text: this.hasShortValues ? (text) => this.#replaceWhole(text) ?? replace(text) : replace,
      number: (value) => (hasNumbers ? this.#numbers.get(value) : undefined),
      key: replace,
    };
  }

  /** A text that is a short value, apart from the white space around it, which stays. */
  #replaceWhole(text: string): string | undefined {
    const whole = text.trim();
    const shown = this.#wholeTexts.get(whole);
    return shown === undefined ? undefined : text.replace(whole, () => shown);
  }

  /** A replacement that itself holds a value would be replaced again by a second pass, so it is kept as it is. */
  #keepReplacements(compiler: PatternCompiler): Patterns {
    const patterns = compiler.compile();
    const unsafe = this.#replacements.filter((replacement) => scan(patterns, replacement).finds.length > 0);
    if (unsafe.length === 0) return patterns;
    for (const replacement of unsafe) compiler.addKept(replacement);
    return compiler.compile();
  }
}

/** The numbers whose text this is. */
function numbersOf(text: string): (number | bigint)[] {
  if (!/^-?\d/.test(text) || String(Number(text)) !== text)
    return /^-?\d{1,400}$/.test(text) ? [BigInt(text)] : [];
  return Number.isInteger(Number(text)) ? [Number(text), BigInt(Number(text))] : [Number(text)];
}

/**
 * Makes a matcher of known private values.
 *
 * A value of four characters or more is found wherever it stands in a text; several backslashes in it count as one.
 * A shorter one is found by `scrub` alone, as a whole JSON value. Of equal values the first name counts.
 *
 * @throws TypeError for what is no named value.
 * @example
 * const matcher = createValueMatcher([{ name: 'card_token', value: 'tok_9f31' }]);
 * matcher.replace('charged tok_9f31'); // 'charged {_{card_token}_}'
 */
export function createValueMatcher(
  values: Iterable<PrivateValue>,
  options?: ValueMatcherOptions | null,
): ValueMatcher {
  return new ValueMatcher(knownTexts(values), options?.replacement ?? placeholder);
}
