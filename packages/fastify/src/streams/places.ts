import type { ReaderLimits } from '../mount-options.js';

/** Counts readers, so that neither one session nor many of them can exhaust the server. */
export class Places {
  readonly #limits: Required<ReaderLimits>;
  readonly #readers = new Map<string, number>();

  constructor(limits: Required<ReaderLimits>) {
    this.#limits = limits;
  }

  /** Takes a place among a session's readers, or returns the limit that is reached. Leave each place taken once. */
  take(sessionId: string): 'TOO_MANY_READERS' | 'TOO_MANY_SESSIONS' | undefined {
    const readers = this.#readers.get(sessionId) ?? 0;
    if (readers >= this.#limits.readersPerSession) return 'TOO_MANY_READERS';
    if (readers === 0 && this.#readers.size >= this.#limits.sessions) return 'TOO_MANY_SESSIONS';
    this.#readers.set(sessionId, readers + 1);
    return undefined;
  }

  leave(sessionId: string): void {
    const left = (this.#readers.get(sessionId) ?? 1) - 1;
    if (left === 0) this.#readers.delete(sessionId);
    else this.#readers.set(sessionId, left);
  }
}
