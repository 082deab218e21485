import { describe, expect, it } from 'vitest';
import { RateLimit } from '../../../src/mcp/calls/rate-limit.js';
import type { Runtime } from '../../../src/runtime.js';
import { systemRuntime } from '../../../src/runtime.js';
import { ManualClock } from '../../../src/scheduling/clock/manual-clock.js';

/** A runtime with a manual clock. */
function runtimeOf(clock: ManualClock): Runtime {
  return {
    ...systemRuntime,
    now: () => clock.now(),
    monotonicMs: () => clock.now(),
    sleep: async (durationMs, signal) =>
      new Promise((resolve, reject) => {
        const timer = clock.startTimer(durationMs, resolve);
        signal?.addEventListener('abort', () => {
          timer.cancel();
          reject(signal.reason);
        });
      }),
  };
}

function limitWith(options: {
  maxCalls: number;
  perMs: number;
  minIntervalMs?: number;
  maxWaiting?: number;
}) {
  const clock = new ManualClock(1_000_000);
  const limit = new RateLimit('files', { minIntervalMs: 0, maxWaiting: 100, ...options }, runtimeOf(clock));
  const starts: number[] = [];
  const enter = async (signal = new AbortController().signal) =>
    limit.enter(signal).then(() => void starts.push(clock.now() - 1_000_000));
  return { clock, starts, enter };
}

describe('a rate limit', () => {
  it('lets at most maxCalls calls start within perMs', async () => {
    const { clock, starts, enter } = limitWith({ maxCalls: 2, perMs: 1_000 });
    const entering = Array.from({ length: 7 }, async () => enter());
    await clock.advance(0);
    expect(starts).toEqual([0, 0]);
    await clock.advance(10_000);
    await Promise.all(entering);
    expect(starts).toEqual([0, 0, 1_000, 1_000, 2_000, 2_000, 3_000]);
  });

  it('counts calls in a sliding window', async () => {
    const { clock, starts, enter } = limitWith({ maxCalls: 2, perMs: 1_000 });
    await enter();
    await clock.advance(900);
    await enter();
    const later = [enter(), enter()];
    await clock.advance(5_000);
    await Promise.all(later);
    expect(starts).toEqual([0, 900, 1_000, 1_900]);
  });

  it('keeps minIntervalMs between the starts of calls', async () => {
    const { clock, starts, enter } = limitWith({ maxCalls: 10, perMs: 1_000, minIntervalMs: 300 });
    const entering = [enter(), enter(), enter()];
    await clock.advance(1_000);
    await Promise.all(entering);
    expect(starts).toEqual([0, 300, 600]);
  });

  it('refuses a call when maxWaiting calls are queued', async () => {
    const { clock, enter } = limitWith({ maxCalls: 1, perMs: 1_000, maxWaiting: 1 });
    await enter();
    const waiting = enter();
    await expect(enter()).rejects.toMatchObject({ code: 'MCP_RATE_LIMITED', isRetryable: true });
    await clock.advance(1_000);
    await waiting;
  });

  it('refuses excess calls even if all arrive at once, like the independent calls of a plan', async () => {
    const { clock, starts, enter } = limitWith({ maxCalls: 2, perMs: 1_000, maxWaiting: 1 });
    const ends = await Promise.allSettled([
      enter(),
      enter(),
      Promise.race([enter(), 'waits']),
      enter(),
      enter(),
    ]);
    expect(ends.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    await clock.advance(1_000);
    expect(starts).toEqual([0, 0, 1_000]);
  });

  it('refuses every call that would have to wait if maxWaiting is 0', async () => {
    const { starts, enter } = limitWith({ maxCalls: 1, perMs: 1_000, maxWaiting: 0 });
    const first = enter();
    await expect(enter()).rejects.toMatchObject({ code: 'MCP_RATE_LIMITED' });
    await first;
    expect(starts).toEqual([0]);
  });

  it('rejects a queued call as soon as it is cancelled, and frees its place in the queue', async () => {
    const { clock, starts, enter } = limitWith({ maxCalls: 1, perMs: 1_000, maxWaiting: 2 });
    await enter();
    const head = enter();
    const stop = new AbortController();
    const cancelled = enter(stop.signal).catch((error: unknown) => error);
    stop.abort(new Error('enough'));
    expect(await cancelled).toMatchObject({ message: 'enough' });
    const next = enter();
    await clock.advance(2_000);
    await Promise.all([head, next]);
    expect(starts).toEqual([0, 1_000, 2_000]);
  });

  it('starts the next call instead of a cancelled one', async () => {
    const { clock, starts, enter } = limitWith({ maxCalls: 1, perMs: 1_000 });
    await enter();
    const stop = new AbortController();
    const cancelled = enter(stop.signal).catch((error: unknown) => error);
    const next = enter();
    await clock.advance(500);
    stop.abort(new Error('enough'));
    expect(await cancelled).toMatchObject({ message: 'enough' });
    await clock.advance(500);
    await next;
    expect(starts).toEqual([0, 1_000]);
  });

  it('does not count a call that is already cancelled', async () => {
    const { starts, enter } = limitWith({ maxCalls: 1, perMs: 1_000, maxWaiting: 0 });
    await expect(enter(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    await enter();
    expect(starts).toEqual([0]);
  });

  it('without options lets every call start', async () => {
    const limit = new RateLimit('files', undefined, systemRuntime);
    await expect(limit.enter(new AbortController().signal)).resolves.toBeUndefined();
  });
});
