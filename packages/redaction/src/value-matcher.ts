import { PatternCompiler, type Patterns, SHORTEST_FOUND_VALUE } from './matching/compile-patterns.js';
import { type Rest, type Scan, type ScanStart, scan, scanRest } from './matching/scan.js';
import { placeholder } from './placeholders.js';
import { type KnownText, type PrivateValue, knownTexts } from './private-value.js';
import { type JsonScrubber, scrubJson } from './scrub-json.js';

/** The options of {@link createValueMatcher}. */
export interface ValueMatcherOptions {
  /**
   * Returns the text that replaces a value, from the value's name.
   * @default placeholder, which returns `{_{name}_}`
   */
  replacement?: ((name: string) => string) | null | undefined;
}

/** A private value found in a text. */
export interface ValueMatch {
  /** The name of the value. */
  readonly name: string;
  /** The index of the first character. */
  readonly start: number;
  /** The index after the last character. */
  readonly end: number;
}

/**
 * Finds known private values anywhere in a text: verbatim (in any letter case of the same length), JSON-escaped,
 * URL-encoded (even repeatedly or mixed), with `_` for white space as in ids, and in base64 or base64url, even inside a
 * longer encoded text. Created by {@link createValueMatcher}. It is immutable, so it can be shared and kept.
 */
export class ValueMatcher {
  /** Whether there are no values to find. */
  readonly isEmpty: boolean;
  /** Whether some values are too short to be found inside a text, so that only `scrub` finds them. */
  readonly hasShortValues: boolean;
  /** The length of the longest form of any value, in characters. */
  readonly longestForm: number;
  /** @internal A prefix this short reveals nothing of a value: up to three characters and a quarter of the shortest. */
  readonly harmlessLength: number;
  readonly #patterns: Patterns | undefined;
  readonly #texts: readonly KnownText[];
  readonly #replacements: readonly string[];
  /** The ids of the values that are too short to be found inside a text. */
  readonly #wholeTexts: ReadonlyMap<string, number>;
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
    this.#wholeTexts = new Map(
      texts.flatMap(({ text }, id) => (isFoundInside[id] ? [] : [[text, id] as const])),
    );
    this.#patterns = isFoundInside.includes(true) ? this.#keepReplacements(compiler) : undefined;
    this.isEmpty = texts.length === 0;
    this.hasShortValues = this.#wholeTexts.size > 0;
    this.longestForm = this.#patterns?.longest ?? 0;
    this.harmlessLength = Math.min(SHORTEST_FOUND_VALUE - 1, (this.#patterns?.shortest ?? 0) >> 2);
    this.#scrubber = this.#createScrubber();
  }

  /** Finds the private values in a text, from left to right. A match may start inside the one before it. */
  find(text: string): ValueMatch[] {
    return this.scan(text).matches.map(({ start, end, valueId }) => ({
      name: this.#texts[valueId]?.name ?? '',
      start,
      end,
    }));
  }

  /** @internal Does the same, and finds a value that is too short to be found inside a text if it is the whole text. */
  findWithShort(text: string): ValueMatch[] {
    const shortId = this.#wholeTexts.get(text.trim());
    if (shortId === undefined) return this.find(text);
    return [{ name: this.#texts[shortId]?.name ?? '', start: 0, end: text.length }, ...this.find(text)];
  }

  /** Whether the text contains a private value. */
  has(text: string): boolean {
    return this.scan(text).matches.length > 0;
  }

  /** Returns the text with every private value replaced. */
  replace(text: string): string {
    const result = this.scan(text);
    return result.matches.length === 0 ? text : this.render(text, result);
  }

  /**
   * Returns a JSON value with every private value replaced: in strings and keys at any depth, and in numbers. Private
   * values under four characters are replaced too, where they are a whole string or number. Returns the same value if
   * there is nothing to replace, else a copy; the input is never changed.
   */
  scrub(value: unknown): unknown {
    return this.isEmpty ? value : scrubJson(value, this.#scrubber);
  }

  /** Whether this matcher was created from the same texts under the same names, so that it can be reused. */
  isMadeOf(values: Iterable<PrivateValue>): boolean {
    const texts = knownTexts(values);
    return (
      texts.length === this.#texts.length &&
      texts.every(({ name, text }, i) => name === this.#texts[i]?.name && text === this.#texts[i].text)
    );
  }

  /** @internal Finds values in a text that may continue, for texts that arrive in parts. */
  scan(text: string, isLast = true, from?: ScanStart): Scan {
    if (this.#patterns === undefined || (isLast && text.length < this.#patterns.shortest)) {
      return { matches: [], heldFrom: text.length, settled: 0, isKept: false };
    }
    return scan(this.#patterns, text, isLast, from);
  }

  /** @internal Returns the part of a scanned text that may be shown. */
  render(text: string, { matches, heldFrom }: Scan, from?: ScanStart): string {
    let shown = '';
    let at = from && !from.isKept ? from.settled : 0;
    for (const { start, end, valueId } of matches) {
      shown += text.slice(at, start) + (this.#replacements[valueId] ?? '');
      at = end;
    }
    return at < heldFrom ? shown + text.slice(at, heldFrom) : shown;
  }

  /** @internal Finds the rest of a value whose first characters, `lost` at most, are not known. */
  scanRest(text: string, lost: number): Rest & { replacement: string } {
    const rest =
      this.#patterns === undefined
        ? { end: 0, valueId: -1, isCut: false, isUndecided: false }
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

  /** Replaces a text that is a short value, keeping the white space around it. */
  #replaceWhole(text: string): string | undefined {
    const whole = text.trim();
    const id = this.#wholeTexts.get(whole);
    return id === undefined ? undefined : text.replace(whole, () => this.#replacements[id] ?? '');
  }

  /** A replacement that itself contains a value would be replaced again by a second pass, so it is kept as it is. */
  #keepReplacements(compiler: PatternCompiler): Patterns {
    const patterns = compiler.compile();
    const unsafe = this.#replacements.filter((replacement) => scan(patterns, replacement).matches.length > 0);
    if (unsafe.length === 0) return patterns;
    for (const replacement of unsafe) compiler.addKept(replacement);
    return compiler.compile();
  }
}

/** Returns the numbers that are written like this text. */
function numbersOf(text: string): (number | bigint)[] {
  if (!/^-?\d/.test(text) || String(Number(text)) !== text)
    return /^-?\d{1,400}$/.test(text) ? [BigInt(text)] : [];
  return Number.isInteger(Number(text)) ? [Number(text), BigInt(Number(text))] : [Number(text)];
}

/**
 * Creates a matcher for known private values.
 *
 * A value of four characters or more is found anywhere in a text; repeated backslashes in it count as one. A shorter
 * value is only found by `scrub`, as a whole JSON value. If several names have the same value, the first one counts.
 *
 * @throws TypeError for a value without a string `name`.
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
