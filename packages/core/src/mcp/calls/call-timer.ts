/** Why a call was given up. */
export type CallEnd = 'silent' | 'too_long';

/** The time limits of one call: silence, and in all. A question to a person stops both clocks. */
export class CallTimer {
  readonly #silenceMs: number;
  readonly #onEnd: (end: CallEnd) => void;
  #remainingMs: number;
  #resumedAt = 0;
  #timers: NodeJS.Timeout[] = [];
  #questions = 0;
  #isOver = false;

  constructor(limits: { silenceMs: number; totalMs: number }, onEnd: (end: CallEnd) => void) {
    this.#silenceMs = limits.silenceMs;
    this.#remainingMs = limits.totalMs;
    this.#onEnd = onEnd;
    this.#start();
  }

  /** The server gave a sign of life. */
  touch(): void {
    if (this.#isOver || this.#questions > 0) return;
    this.#halt();
    this.#start();
  }

  /** Stops the clocks while a person is asked. */
  async pauseWhile<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.#questions += 1;
    if (this.#questions === 1) this.#halt();
    try {
      return await ask();
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0 && !this.#isOver) this.#start();
    }
  }

  /** The call is over. */
  end(): void {
    this.#isOver = true;
    this.#halt();
  }

  #start(): void {
    this.#resumedAt = performance.now();
    this.#timers = [
      setTimeout(() => this.#onEnd('silent'), this.#silenceMs),
      setTimeout(() => this.#onEnd('too_long'), this.#remainingMs),
    ];
  }

  #halt(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    if (this.#timers.length > 0)
      this.#remainingMs = Math.max(0, this.#remainingMs - (performance.now() - this.#resumedAt));
    this.#timers = [];
  }
}
