import type { JournalEntry } from '@svc/contracts/orchestrator';

/** The first key of the entries that is already taken or that two of them share. */
export function findTakenKey(
  entries: readonly JournalEntry[],
  isTaken: (key: string) => boolean,
): string | undefined {
  const seen = new Set<string>();
  for (const { key } of entries) {
    if (key === undefined) continue;
    if (seen.has(key) || isTaken(key)) return key;
    seen.add(key);
  }
  return undefined;
}
