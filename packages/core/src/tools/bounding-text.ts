/** So many characters are held. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/**
 * Lets the oldest texts go when those that are held are too long together. What is returned is to be told of each one that
 * came, by its key; what has gone for another reason is not held any more.
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
