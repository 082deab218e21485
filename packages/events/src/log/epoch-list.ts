import type { EpochStart, WriterToken } from './event-log.js';

/** Older writers than these are forgotten: readers that come back with such a cursor are told of a gap. */
const MOST_EPOCHS = 32;

/** The writers of a session, oldest first, with one more. */
export function withEpoch(epochs: readonly EpochStart[], start: EpochStart): readonly EpochStart[] {
  return [...epochs, start].slice(-MOST_EPOCHS);
}

/** Who wrote an entry. */
export function epochAt(epochs: readonly EpochStart[], seq: number): string | undefined {
  return epochs.findLast(({ fromSeq }) => fromSeq <= seq)?.epoch;
}

/** Whether somebody may become the writer who was the last one when it had this token, if it brings any. */
export function mayFollow(epochs: readonly EpochStart[], writer: WriterToken | undefined): boolean {
  const current = epochs.at(-1)?.epoch;
  return writer === undefined || current === undefined || current === writer.epoch;
}
