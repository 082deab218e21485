import type { EntryKind, LogEvent } from '@svc/events';

/** The letter of each entry kind. Entries of kind `event` are stored without one. */
const letters = { event: 'e', turn_start: 's', turn_end: 't', session_end: 'x' } satisfies Record<
  EntryKind,
  string
>;
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter, kind as EntryKind]));

/** The number of script arguments that {@link encodeEntry} returns. */
export const VALUES_PER_ENTRY = 5;

/** Encodes an entry as arguments of the append script. Absent strings are empty, others begin with `+`. */
export function encodeEntry({ seq, kind, frames, safeFrames, note }: LogEvent): (string | number)[] {
  return [
    seq,
    letters[kind],
    frames,
    safeFrames === undefined ? '' : `+${safeFrames}`,
    note === undefined ? '' : `+${JSON.stringify(note)}`,
  ];
}

/** The kind for a letter; undefined without a letter or for one of a newer version. */
export function decodeKind(letter: string | undefined): EntryKind | undefined {
  return kinds.get(letter ?? '');
}
