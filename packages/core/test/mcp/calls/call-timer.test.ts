import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallTimer } from '../../../src/mcp/calls/call-timer.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const ends: string[] = [];
  const timer = new CallTimer({ silenceMs: 100, totalMs: 1_000 }, (end) => void ends.push(end));
  return { timer, ends };
}

describe('the limits of a call', () => {
  it('end a silent call', () => {
    const { ends } = start();
    vi.advanceTimersByTime(99);
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ends).toEqual(['silent']);
  });

  it('end a call that takes too long, even if the server is never silent', () => {
    const { timer, ends } = start();
    for (let at = 0; at < 19; at += 1) {
      vi.advanceTimersByTime(50);
      timer.touch();
    }
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(ends).toEqual(['too_long']);
  });

  it('are paused until all questions are answered', async () => {
    const { timer, ends } = start();
    vi.advanceTimersByTime(90);
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const asking = answers.map(async ({ promise }) => timer.pauseWhile(async () => promise));
    vi.advanceTimersByTime(1_000_000);
    timer.touch();
    answers[0]?.resolve('yes');
    await asking[0];
    vi.advanceTimersByTime(1_000_000);
    expect(ends).toEqual([]);
    answers[1]?.resolve('yes');
    await asking[1];
    vi.advanceTimersByTime(100);
    expect(ends).toEqual(['silent']);
  });

  it('leave no timer when the call has ended', async () => {
    const { timer, ends } = start();
    timer.end();
    timer.touch();
    expect(vi.getTimerCount()).toBe(0);
    await timer.pauseWhile(async () => 'late');
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(10_000);
    expect(ends).toEqual([]);
  });
});
