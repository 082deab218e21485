/** A reader's place in a session, as its cursor says it. */
export interface EventPosition {
  /** The token of the writer that appended the entry. */
  readonly epoch: string;
  /** Counts the session's log entries from 1; 0 is before the first. */
  readonly seq: number;
  /** Set when a frame is not the last one of its entry: how many frames of the entry the reader has seen. */
  readonly part?: number;
}

const idPattern = /^([0-9a-z]{1,32})-(0|[1-9]\d{0,15})(?:\.([1-9]\d{0,5}))?$/;

/** The id of an event: opaque to readers, but it carries the writer's epoch and the entry's sequence number. */
export function formatEventId({ epoch, seq, part }: EventPosition): string {
  return part === undefined ? `${epoch}-${seq}` : `${epoch}-${seq}.${part}`;
}

/** Reads a cursor; undefined when it is nothing that {@link formatEventId} makes. */
export function parseEventId(id: string): EventPosition | undefined {
  const match = idPattern.exec(id);
  if (match === null) return undefined;
  const [, epoch = '', digits = '', partDigits] = match;
  const seq = Number(digits);
  if (!Number.isSafeInteger(seq)) return undefined;
  return partDigits === undefined ? { epoch, seq } : { epoch, seq, part: Number(partDigits) };
}
