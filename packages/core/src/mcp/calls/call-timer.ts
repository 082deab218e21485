/** Why a call was aborted. */
export type CallEnd = 'silent' | 'too_long';

/** The time limits of one call: for silence and for the whole call. A question to a person pauses both. */
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

  /** Restarts the limit for silence, because the server is alive. */
  touch(): void {
    if (this.#isOver || this.#questions > 0) return;
    this.#halt();
    this.#start();
  }

  /** Pauses the limits while a person is asked. */
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

  /** Ends the limits. */
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
