import type { EventPosition } from '../log/event-id.js';
import type { Gap } from './cursor.js';
import { gapFrame } from './gap-frame.js';

/** What a reader misses and has not been told of, then the frame that tells it, which comes before everything else. */
export class GapNotice {
  #gap: Gap | undefined;
  #frame: string | undefined;

  constructor(gap: Gap | undefined) {
    this.#gap = gap;
  }

  /** Whether there is a gap that no frame tells of yet. */
  get isNoted(): boolean {
    return this.#gap !== undefined;
  }

  /** Whether the frame waits to be taken. */
  get isReady(): boolean {
    return this.#frame !== undefined;
  }

  /** Notes a gap, unless one is noted already: the first one is what the reader has to be told of. */
  note(gap: Gap): void {
    this.#gap ??= gap;
  }

  /** Makes the frame, if there is a gap to tell of. */
  tell(before: EventPosition, oldest?: EventPosition): void {
    if (this.#gap === undefined) return;
    this.#frame = gapFrame(this.#gap, before, oldest);
    this.#gap = undefined;
  }

  /** Gives the frame, once. */
  take(): Uint8Array {
    const bytes = Buffer.from(this.#frame ?? '');
    this.#frame = undefined;
    return bytes;
  }
}
