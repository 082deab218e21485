import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** What a run needs of the world around it besides the network; tests hand in their own. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that never jumps, for measuring. */
  monotonicMs(): number;
  /** A number from 0 up to 1, for jitter. */
  random(): number;
  /** A fresh random UUID. */
  uuid(): string;
  /** Resolves after the given time, or rejects with the signal's reason. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** The real clock, random numbers and timers. */
export const systemRuntime: Runtime = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  uuid: () => randomUUID(),
  async sleep(durationMs, signal) {
    try {
      await wait(durationMs, undefined, signal ? { signal } : undefined);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
