import type { Runtime } from '../../runtime.js';

/** Limits the number of shown events in a time window; further ones are dropped. */
export class EventAllowance {
  readonly #limits: { readonly maxEvents: number; readonly perMs: number };
  readonly #runtime: Runtime;
  #startedAt = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor(limits: { maxEvents: number; perMs: number }, runtime: Runtime) {
    this.#limits = limits;
    this.#runtime = runtime;
  }

  take(): boolean {
    const now = this.#runtime.monotonicMs();
    if (now - this.#startedAt >= this.#limits.perMs) {
      this.#startedAt = now;
      this.#taken = 0;
    }
    this.#taken += 1;
    return this.#taken <= this.#limits.maxEvents;
  }
}
