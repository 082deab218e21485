import { setImmediate } from 'node:timers/promises';
import { systemRuntime, type Runtime } from '../src/runtime.js';

/** The real runtime, except that its sleeps are recorded and take no time. */
export function quickRuntime(): Runtime & { readonly sleeps: number[] } {
  const sleeps: number[] = [];
  return {
    ...systemRuntime,
    sleeps,
    random: () => 1,
    async sleep(durationMs, signal) {
      sleeps.push(durationMs);
      await setImmediate();
      signal?.throwIfAborted();
    },
  };
}
