import type { Clock } from '../../clock.js';

/** How many characters a snapshot may contain per interval; a longer one is followed by a longer pause. */
const MAX_CHARACTERS_PER_INTERVAL = 4000;

/**
 * The pause after a snapshot of the whole text. It grows with the text, so that all snapshots together grow as the text
 * does, not as its square.
 */
export const pauseAfterSnapshotMs = (length: number, intervalMs: number): number =>
  Math.ceil(intervalMs * Math.max(1, length / MAX_CHARACTERS_PER_INTERVAL));

/** Writes the text of a planner's turn as it grows: the first piece at once, then one write at a time with pauses. */
export class TextStream {
  readonly #write: (text: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #pauseMs: (length: number) => number;
  #text: string;
  #written: string;
  #busy: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  /** `before` is the text of earlier turns: every snapshot starts with it. */
  constructor(options: {
    before: string;
    /** The pause after a write, by the length of the text. */
    pauseMs: (length: number) => number;
    clock: Clock;
    /** Never rejects: it handles its own failures. */
    write: (text: string) => Promise<void>;
  }) {
    this.#write = options.write;
    this.#clock = options.clock;
    this.#pauseMs = options.pauseMs;
    this.#text = options.before;
    this.#written = options.before;
  }

  /** The newest text written. */
  get written(): string {
    return this.#written;
  }

  push(delta: string): void {
    if (this.#closed || delta === '') return;
    this.#text += delta;
    this.#writeText();
  }

  /** Ends the stream. Resolves when no write is in flight; text not yet written is left to the step's own record. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    await this.#busy;
  }

  #writeText(): void {
    if (this.#closed || this.#busy || this.#cancelTimer || this.#text === this.#written) return;
    const snapshot = this.#text;
    this.#written = snapshot;
    this.#busy = this.#write(snapshot).then(() => {
      this.#busy = undefined;
      this.#pause(this.#pauseMs(snapshot.length));
    });
  }

  #pause(delayMs: number): void {
    if (this.#closed) return;
    this.#cancelTimer = this.#clock.after(delayMs, () => {
      this.#cancelTimer = undefined;
      this.#writeText();
    });
  }
}
