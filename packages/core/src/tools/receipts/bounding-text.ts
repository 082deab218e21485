/** The maximum total length of the kept texts, in characters. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * Drops the oldest texts when the total length of the kept ones exceeds the limit. Call the returned function with the
 * key and length of each new text; `isKept` says whether a text is still kept.
 */
export function boundingText(
  isKept: (key: string) => boolean,
  drop: (key: string) => void,
): (key: string, length: number) => void {
  const lengths = new Map<string, number>();
  let total = 0;
  return (latest, length) => {
    total += length - (lengths.get(latest) ?? 0);
    lengths.delete(latest);
    lengths.set(latest, length);
    for (const [key, keptLength] of lengths) {
      const isGone = !isKept(key);
      if (key === latest || (!isGone && total <= MAX_CHARACTERS)) return;
      lengths.delete(key);
      total -= keptLength;
      if (!isGone) drop(key);
    }
  };
}
