import type { EpochStart, WriterToken } from './event-log.js';

/** The number of writers kept: a reader with a cursor of an older one gets a gap. */
const MOST_EPOCHS = 32;

/** Adds a writer to those of a session, oldest first. */
export function withEpoch(epochs: readonly EpochStart[], start: EpochStart): readonly EpochStart[] {
  return [...epochs, start].slice(-MOST_EPOCHS);
}

/** The epoch that wrote an entry. */
export function epochAt(epochs: readonly EpochStart[], seq: number): string | undefined {
  return epochs.findLast(({ fromSeq }) => fromSeq <= seq)?.epoch;
}

/** Whether the caller may become the writer: with a token only if it is the current one. */
export function mayBecomeWriter(epochs: readonly EpochStart[], writer: WriterToken | undefined): boolean {
  const current = epochs.at(-1)?.epoch;
  return writer === undefined || current === undefined || current === writer.epoch;
}
