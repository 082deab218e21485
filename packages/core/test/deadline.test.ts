import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { abortLater, MAX_TIMER_MS, raceAbort, withDeadline } from '../src/deadline.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const createError = (timeoutMs: number) => new Error(`late after ${timeoutMs}`);
const endless = async () => new Promise<never>(() => {});

describe('work under a deadline', () => {
  it('is abandoned at the deadline, and its signal aborts with the error', async () => {
    const reasons: unknown[] = [];
    const work = withDeadline({ timeoutMs: 50, createError }, async (signal) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return endless();
    });
    const ended = Promise.allSettled([work]);
    await vi.advanceTimersByTimeAsync(50);
    expect(await ended).toMatchObject([{ status: 'rejected', reason: new Error('late after 50') }]);
    expect(reasons).toEqual([new Error('late after 50')]);
  });

  it('is abandoned when the caller’s signal aborts, and not started if it has aborted before', async () => {
    const controller = new AbortController();
    const work = withDeadline({ timeoutMs: 50, signal: controller.signal, createError }, endless);
    controller.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
    const run = vi.fn<() => Promise<void>>();
    const late = withDeadline({ timeoutMs: 50, signal: controller.signal, createError }, run);
    await expect(late).rejects.toThrow('enough');
    expect(run).not.toHaveBeenCalled();
  });

  it('has no time limit if timeoutMs is more than a timer can hold', async () => {
    const work = withDeadline({ timeoutMs: MAX_TIMER_MS + 1, createError }, async () => 'done');
    expect(vi.getTimerCount()).toBe(0);
    expect(await work).toBe('done');
  });

  it.each([
    ['returned', async () => 1, 0],
    ['failed', async () => Promise.reject(new Error('broke')), 0],
    ['was abandoned', endless, 10],
  ])('leaves no timer and no listener when it %s', async (_name, run, waitMs) => {
    const { signal } = new AbortController();
    const work = Promise.allSettled([withDeadline({ timeoutMs: 10, signal, createError }, run)]);
    await vi.advanceTimersByTimeAsync(waitMs);
    await work;
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it('raceAbort leaves no listener on its signal', async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(Promise.resolve(1), signal)).toBe(1);
  await expect(raceAbort(Promise.reject(new Error('broke')), signal)).rejects.toThrow('broke');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('abortLater', () => {
  it('aborts its signal after the delay, with the same reason', async () => {
    const controller = new AbortController();
    const { late } = abortLater(controller.signal, 50);
    controller.abort(new Error('enough'));
    await vi.advanceTimersByTimeAsync(49);
    expect(late?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(late?.reason).toEqual(new Error('enough'));
  });

  it('leaves neither a listener nor a timer once it is stopped', () => {
    const { signal } = new AbortController();
    abortLater(signal, 50).stop();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const controller = new AbortController();
    const { stop } = abortLater(controller.signal, 50);
    controller.abort();
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
