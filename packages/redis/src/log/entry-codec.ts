import type { EntryKind, LogEvent } from '@svc/events';

/** One letter per kind of entry. An entry of kind `event` is stored without it. */
const letters = { event: 'e', turn_start: 's', turn_end: 't', session_end: 'x' } satisfies Record<
  EntryKind,
  string
>;
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter, kind as EntryKind]));

/** How many script values {@link encodeEntry} makes of an entry. */
export const VALUES_PER_ENTRY = 5;

/** An entry as the append script takes it. What is absent is empty, what is there begins with `+`. */
export function encodeEntry({ seq, kind, frames, safeFrames, note }: LogEvent): (string | number)[] {
  return [
    seq,
    letters[kind],
    frames,
    safeFrames === undefined ? '' : `+${safeFrames}`,
    note === undefined ? '' : `+${JSON.stringify(note)}`,
  ];
}

/** The kind that a letter means; undefined for none, or one of a newer version. */
export function decodeKind(letter: string | undefined): EntryKind | undefined {
  return kinds.get(letter ?? '');
}
