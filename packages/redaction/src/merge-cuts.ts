/** A part of a text to be replaced, and what is known about the value there. */
export interface Cut<Source> {
  readonly start: number;
  readonly end: number;
  /** The value, as it is known or as it appears in the text. */
  readonly value: string;
  readonly source: Source;
}

/**
 * Returns the cuts in text order, without overlaps and without those that touch `kept`, which must be in text order.
 * Where cuts overlap, one that contains all the others stays (the first of equal ones); otherwise they are joined, with
 * the source of the longest, so that no part of either is left.
 */
export function mergeCuts<Source>(
  text: string,
  cuts: readonly Cut<Source>[],
  kept: readonly { start: number; end: number }[],
): Cut<Source>[] {
  const merged: Cut<Source>[] = [];
  let nextKept = 0;
  for (const cut of cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    while (nextKept < kept.length && (kept[nextKept]?.end ?? 0) <= cut.start) nextKept += 1;
    if ((kept[nextKept]?.start ?? cut.end) < cut.end) continue;
    const last = merged.at(-1);
    if (last === undefined || cut.start >= last.end) merged.push(cut);
    else if (cut.end > last.end) merged[merged.length - 1] = join(text, last, cut);
  }
  return merged;
}

function join<Source>(text: string, first: Cut<Source>, second: Cut<Source>): Cut<Source> {
  const { start } = first;
  const { end } = second;
  const { source } = second.end - second.start > first.end - first.start ? second : first;
  return { start, end, value: text.slice(start, end), source };
}
