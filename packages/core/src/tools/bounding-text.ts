/** How many characters are kept. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/**
 * Drops the oldest texts when the kept ones are too long together. Call the returned function with the key and length of
 * each new text; `isHeld` says whether a text is still kept.
 */
export function boundingText(
  isHeld: (key: string) => boolean,
  letGo: (key: string) => void,
): (key: string, length: number) => void {
  const lengths = new Map<string, number>();
  let total = 0;
  return (latest, length) => {
    total += length - (lengths.get(latest) ?? 0);
    lengths.delete(latest);
    lengths.set(latest, length);
    for (const [key, held] of lengths) {
      const isGone = !isHeld(key);
      if (key === latest || (!isGone && total <= MOST_CHARACTERS)) return;
      lengths.delete(key);
      total -= held;
      if (!isGone) letGo(key);
    }
  };
}
