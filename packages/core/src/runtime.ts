import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** The dependencies of a run besides the network, which tests can replace. */
export interface Runtime {
  /** Returns the current time, in milliseconds since the epoch. */
  now(): number;
  /** Returns the time of a monotonic clock, in milliseconds, for measuring durations. */
  monotonicMs(): number;
  /** Returns a number from 0 up to 1, for jitter. */
  random(): number;
  /** Returns a random UUID. */
  uuid(): string;
  /** Resolves after the given time, in milliseconds, or rejects with the signal's reason. */
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
