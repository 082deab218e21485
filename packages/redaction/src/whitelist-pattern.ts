import { RedactionError } from './errors.js';
import { LONGEST_PATTERN_TEXT, patternCost } from './pattern-cost.js';

/** A pattern may try at most 2 to this power ways on one text. */
const HIGHEST_PATTERN_COST = 25;
/** And all of them as many on all texts of one redaction, which takes a second or two. */
const MOST_WAYS = 2 ** 28;
/** To try a text at all takes as long as so many ways. */
const WAYS_OF_A_TRY = 100;

const anything = ['a', '7', '@', 'x y'];

/** What the patterns of a whitelist may take, together. */
export class PatternEffort {
  #left = MOST_WAYS;

  /** @throws RedactionError `WHITELIST_TOO_COSTLY` */
  spend(ways: number): void {
    this.#left -= ways;
    if (this.#left >= 0) return;
    const message =
      'The patterns of the whitelist could take very long on all that was found. Use patterns with fewer repetitions, ' +
      'values in their place, or texts with less personal data.';
    throw new RedactionError(message, { code: 'WHITELIST_TOO_COSTLY' });
  }
}

/** A pattern that the whole of a find has to match. */
export interface WhitelistPattern {
  allows(text: string, effort: PatternEffort): boolean;
}

/**
 * @param at Whose pattern it is, for errors.
 * @throws RedactionError for one that is invalid, allows anything or could take very long.
 */
export function compilePattern(pattern: string, at: string): WhitelistPattern {
  let expression: RegExp;
  try {
    // By itself first: one that closes the group around it would be another pattern than the one that is checked.
    expression = new RegExp(`^(?:${new RegExp(pattern, 'iu').source})$`, 'iu');
  } catch (cause) {
    const message = `${at} has a pattern that is no regular expression. Correct it.`;
    throw new RedactionError(message, { code: 'WHITELIST_PATTERN_INVALID', cause });
  }
  const cost = patternCost(pattern);
  if (cost === undefined || cost > HIGHEST_PATTERN_COST) {
    const message =
      `${at} has a pattern that could take very long. Use no look-around or references, at most three open ` +
      'repetitions (`*`, `+`), and none of alternatives or of other repetitions.';
    throw new RedactionError(message, { code: 'WHITELIST_PATTERN_TOO_COSTLY' });
  }
  const matchesEmptyAndLetter = expression.test('') && expression.test('a');
  if (matchesEmptyAndLetter || anything.every((text) => expression.test(text))) {
    const message = `${at} has a pattern that allows anything. Make it match only what may be shown.`;
    throw new RedactionError(message, { code: 'WHITELIST_PATTERN_TOO_PERMISSIVE' });
  }
  const waysByLength: number[] = [];
  return {
    allows(text, effort) {
      if (text.length > LONGEST_PATTERN_TEXT) return false;
      effort.spend(
        (waysByLength[text.length] ??= 2 ** (patternCost(pattern, text.length) ?? cost)) + WAYS_OF_A_TRY,
      );
      return expression.test(text);
    },
  };
}
