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

/**
 * A detector of a value after the words that announce it, as in `MRN: 12345` or `account no. is 12-34`. The value
 * needs as many digits as given, so that plain words after the label do not count.
 */
export function labelled(
  labels: string,
  value: string,
  leastDigits: number,
  check: (value: string) => boolean = () => true,
): Detector {
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${labels})(?![\\p{L}])(?:\\s{0,2}(?:numbers?|num|no|nr|id|code))?\\.?` +
      `\\s{0,3}(?:is|was|=|:|#|-)?\\s{0,3}#?(?<value>${value})(?![\\p{L}\\p{N}_])`,
    'iu',
  );
  return matching(pattern, (found) => digitsOf(found).length >= leastDigits && check(found));
}

/** The digits of a text. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
