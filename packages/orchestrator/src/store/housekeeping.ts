import type { RunStore } from '@svc/contracts/orchestrator';
import type { Clock } from '../clock.js';

const intervalMs = 10 * 60_000;

interface HousekeepingOptions {
  readonly store: RunStore;
  readonly memory: { sweep(): Promise<void> };
  readonly clock: Clock;
  readonly retentionMs: number;
  readonly onError: (error: unknown) => void;
}

/** Removes ended runs and expired documents from time to time. */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
  }

  open(): void {
    this.#schedule();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#cancelTimer = this.#options.clock.after(intervalMs, () => {
      this.#sweep()
        .catch(this.#options.onError)
        .finally(() => this.#schedule());
    });
  }

  async #sweep(): Promise<void> {
    const { store, memory, clock, retentionMs } = this.#options;
    const nowMs = clock.nowMs();
    await store.sweep({ endedBeforeMs: nowMs - retentionMs, nowMs });
    await memory.sweep();
  }
}
