import type { EpochStart, WriterToken } from './event-log.js';

/** Older writers than these are forgotten: readers that come back with such a cursor are told of a gap. */
const MOST_EPOCHS = 32;

/** The writers a session had, oldest first. */
export class EpochList {
  #starts: readonly EpochStart[];

  constructor(starts: readonly EpochStart[] = []) {
    this.#starts = starts;
  }

  get all(): readonly EpochStart[] {
    return this.#starts;
  }

  /** The writer now; undefined when there was none. */
  get current(): string | undefined {
    return this.#starts.at(-1)?.epoch;
  }

  /** Whether somebody may become the writer who was the last one when it had this token, if it brings any. */
  mayFollow(writer: WriterToken | undefined): boolean {
    return writer === undefined || this.current === undefined || this.current === writer.epoch;
  }

  add(start: EpochStart): void {
    this.#starts = [...this.#starts, start].slice(-MOST_EPOCHS);
  }

  /** Who wrote an entry. */
  epochAt(seq: number): string | undefined {
    return this.#starts.findLast(({ fromSeq }) => fromSeq <= seq)?.epoch;
  }
}
