import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Heartbeats } from '../../src/streams/heartbeats.js';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

it('beats every connection once per interval from its start, with one timer and one frame', () => {
  const heartbeats = new Heartbeats(16_000);
  const beats = new Map<number, number[]>();
  const frames = new Set<Uint8Array>();
  for (let second = 0; second < 20; second += 1) {
    const times: number[] = [];
    beats.set(second, times);
    heartbeats.add({
      beat: (frame) => {
        times.push(Date.now() / 1000 - second);
        frames.add(frame);
      },
    });
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1_000);
  }
  vi.advanceTimersByTime(60_000);
  for (const times of beats.values()) {
    expect(times.slice(0, 3)).toEqual([16, 32, 48]);
  }
  expect([...frames].map((frame) => Buffer.from(frame).toString())).toEqual([': keepalive\n\n']);
});

it('spreads connections over the interval', () => {
  const heartbeats = new Heartbeats(1_600);
  const at: number[] = [];
  for (let index = 0; index < 32; index += 1) {
    heartbeats.add({ beat: () => void at.push(Date.now()) });
    vi.advanceTimersByTime(50);
  }
  at.length = 0;
  vi.advanceTimersByTime(1_600);
  expect(at).toHaveLength(32);
  expect(new Set(at).size).toBe(16);
});

it.each([1, 4])('beats once per interval of %i ms', (intervalMs) => {
  const heartbeats = new Heartbeats(intervalMs);
  let beats = 0;
  heartbeats.add({ beat: () => (beats += 1) });
  vi.advanceTimersByTime(10 * intervalMs);
  expect(beats).toBe(10);
});

it('beats even if the interval is shorter than a timer can be', async () => {
  vi.useRealTimers();
  const heartbeats = new Heartbeats(0.5);
  const beating = { beat: () => undefined };
  const beaten = new Promise<void>((resolve) => Object.assign(beating, { beat: resolve }));
  const group = heartbeats.add(beating);
  await beaten;
  heartbeats.remove(beating, group);
});

it('stops its timer with its last connection', () => {
  const heartbeats = new Heartbeats(1);
  const beating = { beat: () => undefined };
  heartbeats.remove(beating, heartbeats.add(beating));
  expect(vi.getTimerCount()).toBe(0);
});

it('runs a timer only while there are connections, whose removal counts once', () => {
  const heartbeats = new Heartbeats(1);
  const beating = [{ beat: () => undefined }, { beat: () => undefined }];
  const groups = beating.map((each) => heartbeats.add(each));
  for (const [index, each] of beating.entries()) {
    expect(vi.getTimerCount()).toBe(1);
    heartbeats.remove(each, groups[index] ?? -1);
    heartbeats.remove(each, groups[index] ?? -1);
  }
  expect(vi.getTimerCount()).toBe(0);
  heartbeats.add({ beat: () => undefined });
  expect(vi.getTimerCount()).toBe(1);
});
