/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds one kind of personal data in a text, from left to right. */
export type Detector = (text: string) => Iterable<Span>;

/**
 * A detector of what a pattern matches (its group `value`, if it has one) and a check accepts. After a refused match
 * the search continues one character further. No pattern repeats without a bound, so the time is linear.
 */
export function matching(pattern: RegExp, check: (value: string) => boolean = () => true): Detector {
  const indexed = new RegExp(pattern, `${pattern.flags}dg`);
  return function* detect(text) {
    indexed.lastIndex = 0;
    for (let match = indexed.exec(text); match; match = indexed.exec(text)) {
      const [start, end] = match.indices?.groups?.['value'] ?? [match.index, match.index + match[0].length];
      const isAccepted = check(text.slice(start, end));
      if (isAccepted) yield { start, end };
      indexed.lastIndex = isAccepted ? Math.max(end, match.index + 1) : match.index + 1;
    }
  };
}

/** A detector of everything that any of these finds. */
export function anyOf(...detectors: Detector[]): Detector {
  return function* detect(text) {
    for (const detector of detectors) yield* detector(text);
  };
}

/** What stands between a label and its value besides `is`: in a sentence, a form, JSON, Markdown or a table. */
const BETWEEN = '[\\s.:=#|>*"\'`\\\\-]';

/**
 * A detector of a value after the words that announce it, as in `MRN: 12345`, `account no. is 12-34` or
 * `"account_number": "1234"`. The value needs as many digits as given, so that plain words after the label do not count.
 * A space in `labels` also stands for what joins the words of a name in code.
 */
export function labelled(
  labels: string,
  value: string,
  leastDigits: number,
  check: (value: string) => boolean = () => true,
): Detector {
  const inAnyStyle = labels.replaceAll(' ', '[ _-]?');
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${inAnyStyle})(?:[\\s_.-]{0,2}(?:numbers?|nummer|num|no|nr|id|code))?(?![\\p{L}])` +
      `${BETWEEN}{0,8}(?:(?:is|was)${BETWEEN}{0,3})?(?<value>${value})(?![\\p{L}\\p{N}_])`,
    'iu',
  );
  return matching(pattern, (found) => digitsOf(found).length >= leastDigits && check(found));
}

/** The digits of a text. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
