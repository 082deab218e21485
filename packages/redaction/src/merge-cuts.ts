/** A part of a text to be replaced, and what is known about the value there. */
export interface Cut<Source> {
  readonly start: number;
  readonly end: number;
  /** The value, as it is known or as it appears in the text. */
  readonly value: string;
  readonly source: Source;
  /** Whether it was joined from several, so that `value` is more than what the source stands for. */
  readonly isJoined?: boolean;
}

/**
 * Returns the cuts in text order, without overlaps and without those inside one of `kept`, which must be in text order.
 * Where cuts overlap, one that contains all the others stays (the first of equal ones); otherwise they are joined, with
 * the source of the longest, so that no part of either is left.
 */
export function mergeCuts<Source>(
  text: string,
  cuts: readonly Cut<Source>[],
  kept: readonly { start: number; end: number }[],
): Cut<Source>[] {
  const merged: Cut<Source>[] = [];
  let longest = 0;
  let nextKept = 0;
  for (const cut of cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    while (nextKept < kept.length && (kept[nextKept]?.end ?? 0) <= cut.start) nextKept += 1;
    const { start, end } = cut;
    const around = kept[nextKept];
    if (around && around.start <= start && end <= around.end) continue;
    const last = merged.at(-1);
    if (last === undefined || start >= last.end) {
      merged.push(cut);
      longest = end - start;
    } else if (end > last.end) {
      const { source } = end - start > longest ? cut : last;
      const value = text.slice(last.start, end);
      merged[merged.length - 1] = { start: last.start, end, value, source, isJoined: true };
      longest = Math.max(longest, end - start);
    }
  }
  return merged;
}
