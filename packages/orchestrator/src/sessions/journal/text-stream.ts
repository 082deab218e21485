import type { Clock } from '../../clock.js';

/** Writes the text of a planner's turn as it grows: one write at a time, and at most one per interval. */
export class TextStream {
  readonly #write: (text: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #text: string;
  #written: string;
  #busy: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  /** `before` is the text of earlier turns: every snapshot starts with it. */
  constructor(options: {
    before: string;
    intervalMs: number;
    clock: Clock;
    /** Never rejects: it handles its own failures. */
    write: (text: string) => Promise<void>;
  }) {
    this.#write = options.write;
    this.#clock = options.clock;
    this.#intervalMs = options.intervalMs;
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
    this.#schedule(0);
  }

  /** Ends the stream. Resolves when no write is in flight; text not yet written is left to the step's own record. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    await this.#busy;
  }

  #schedule(delayMs: number): void {
    if (this.#closed || this.#busy || this.#cancelTimer || this.#text === this.#written) return;
    if (delayMs > 0) {
      this.#cancelTimer = this.#clock.after(delayMs, () => {
        this.#cancelTimer = undefined;
        this.#schedule(0);
      });
      return;
    }
    const snapshot = this.#text;
    this.#written = snapshot;
    this.#busy = this.#write(snapshot).then(() => {
      this.#busy = undefined;
      this.#schedule(this.#intervalMs);
    });
  }
}
