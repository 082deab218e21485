import { RedactionError } from './errors.js';
import { LONGEST_PATTERN_TEXT, patternCost } from './pattern-cost.js';

/** The most characters of a pattern. Compiling takes time too, and far longer ones overflow the stack. */
const LONGEST_PATTERN = 4096;
/** The highest cost of a pattern on one text, as a power of two. */
const HIGHEST_PATTERN_COST = 25;
/** The most paths that all patterns may try on all texts of one redaction; that takes a second or two. */
const MOST_PATHS = 2 ** 28;
/** The fixed cost of trying a text. */
const PATHS_PER_TRY = 100;

const samples = ['a', '7', '@', 'x y'];

/** The time limit that the patterns of a whitelist share. */
export class PatternBudget {
  #left = MOST_PATHS;

  /** @throws RedactionError `WHITELIST_TOO_COSTLY` */
  spend(paths: number): void {
    this.#left -= paths;
    if (this.#left >= 0) return;
    const message =
      'The whitelist patterns could take very long on the detected data. Use patterns with fewer repetitions, values ' +
      'instead of patterns, or texts with less personal data.';
    throw new RedactionError(message, { code: 'WHITELIST_TOO_COSTLY' });
  }
}

/** A pattern that must match the whole detected text. */
export interface WhitelistPattern {
  allows(text: string, budget: PatternBudget): boolean;
}

/**
 * @param at Names the entry in errors.
 * @throws RedactionError for one that is invalid, allows anything or could take very long.
 */
export function compilePattern(pattern: string, at: string): WhitelistPattern {
  let expression: RegExp;
  try {
    // First on its own: a pattern that closes the surrounding group would differ from the one that is checked.
    expression = new RegExp(`^(?:${new RegExp(pattern, 'iu').source})$`, 'iu');
  } catch (cause) {
    const message = `${at}: pattern must be a valid regular expression.`;
    throw new RedactionError(message, { code: 'WHITELIST_PATTERN_INVALID', cause });
  }
  const cost = pattern.length > LONGEST_PATTERN ? undefined : patternCost(pattern);
  if (cost === undefined || cost > HIGHEST_PATTERN_COST) {
    const message =
      `${at}: pattern could take very long. Use at most ${LONGEST_PATTERN} characters, no look-around or ` +
      'back-references, at most three unbounded repetitions (`*`, `+`), and do not repeat alternatives or other repetitions.';
    throw new RedactionError(message, { code: 'WHITELIST_PATTERN_TOO_COSTLY' });
  }
  const matchesEmptyAndLetter = expression.test('') && expression.test('a');
  if (matchesEmptyAndLetter || samples.every((text) => expression.test(text))) {
    const message = `${at}: pattern allows anything. Make it match only what may be shown.`;
    throw new RedactionError(message, { code: 'WHITELIST_PATTERN_TOO_PERMISSIVE' });
  }
  const pathsByLength: number[] = [];
  return {
    allows(text, budget) {
      if (text.length > LONGEST_PATTERN_TEXT) return false;
      budget.spend(
        (pathsByLength[text.length] ??= 2 ** (patternCost(pattern, text.length) ?? cost)) + PATHS_PER_TRY,
      );
      return expression.test(text);
    },
  };
}
