import type { RunStore } from '@svc/contracts/orchestrator';
import { repeat, type Clock } from '../clock.js';

const intervalMs = 10 * 60_000;

interface HousekeepingOptions {
  readonly store: RunStore;
  readonly memory: { sweep(): Promise<void> };
  readonly clock: Clock;
  readonly retentionMs: number;
  readonly onError: (error: unknown) => void;
}

/** Removes ended runs and expired documents periodically. */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  #stop: (() => void) | undefined;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
  }

  open(): void {
    this.#stop = repeat({ ...this.#options, intervalMs }, () => this.#sweep());
  }

  close(): void {
    this.#stop?.();
  }

  async #sweep(): Promise<void> {
    const { store, memory, clock, retentionMs } = this.#options;
    const nowMs = clock.nowMs();
    await store.sweep({ endedBeforeMs: nowMs - retentionMs, nowMs });
    await memory.sweep();
  }
}
