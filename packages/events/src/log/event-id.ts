/** A reader's position in a session, as encoded in its cursor. */
export interface EventPosition {
  /** The token of the writer that appended the entry. */
  readonly epoch: string;
  /** The number of the log entry, from 1; 0 is before the first. */
  readonly seq: number;
  /** How many frames of the entry the reader has seen; absent after its last frame. */
  readonly part?: number;
}

const idPattern = /^([0-9a-z]{1,32})-(0|[1-9]\d{0,15})(?:\.([1-9]\d{0,5}))?$/;

/** Returns the id of an event. It is opaque to readers, but contains the writer's epoch and the entry's number. */
export function formatEventId({ epoch, seq, part }: EventPosition): string {
  return part === undefined ? `${epoch}-${seq}` : `${epoch}-${seq}.${part}`;
}

/** Parses a cursor; returns undefined if it was not created by {@link formatEventId}. */
export function parseEventId(id: string): EventPosition | undefined {
  const match = idPattern.exec(id);
  if (match === null) return undefined;
  const [, epoch = '', digits = '', partDigits] = match;
  const seq = Number(digits);
  if (!Number.isSafeInteger(seq)) return undefined;
  return partDigits === undefined ? { epoch, seq } : { epoch, seq, part: Number(partDigits) };
}
