import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { systemClock, type Clock, type ClockTimer } from '../../../src/scheduling/clock/clock.js';
import { ManualClock } from '../../../src/scheduling/clock/manual-clock.js';
import { every } from '../../../src/scheduling/schedules.js';
import { createSeededRandom } from '../../../src/scheduling/schedule/seeded-random.js';
import { TimerHeap } from '../../../src/scheduling/clock/timer-heap.js';

/** A manual clock that records which timers were started and how many are running. */
function watchTimers() {
  const manual = new ManualClock(0);
  const timers = { going: 0, most: 0, delays: [] as number[], keepsAlive: [] as boolean[] };
  const clock: Clock = {
    now: () => manual.now(),
    startTimer(delayMs, callback, { keepsAlive }) {
      timers.going += 1;
      timers.most = Math.max(timers.most, timers.going);
      timers.delays.push(delayMs);
      timers.keepsAlive.push(keepsAlive);
      let isGoing = true;
      const leave = () => {
        if (isGoing) timers.going -= 1;
        isGoing = false;
      };
      const timer = manual.startTimer(delayMs, () => {
        leave();
        callback();
      });
      return {
        cancel() {
          leave();
          timer.cancel();
        },
      };
    },
  };
  return { manual, clock, timers, heap: TimerHeap.of(clock) };
}

describe('the timer heap', () => {
  it('is shared by all jobs of a clock, which use a single timer', async () => {
    const { manual, clock, timers } = watchTimers();
    const jobs = Array.from({ length: 100 }, (_, number) =>
      every(1_000 + number)
        .withClock(clock)
        .run(() => {}),
    );
    await manual.advance(5_000);
    expect(jobs.map(({ counters }) => counters.runs)).toEqual(jobs.map((_, at) => (at === 0 ? 5 : 4)));
    expect([timers.most, timers.going]).toEqual([1, 1]);
    await Promise.all(jobs.map(async (job) => job.stop()));
    expect(timers.going).toBe(0);
  });

  it('fires thousands of alarms in order with a single timer', async () => {
    const { manual, heap, timers } = watchTimers();
    const random = createSeededRandom('heap');
    const rung: number[] = [];
    const moments = Array.from({ length: 5_000 }, () => Math.floor(random() * 50_000));
    for (const moment of moments) heap.set(moment, () => void rung.push(moment));
    await manual.advance(50_000);
    expect(rung).toEqual(moments.toSorted((one, other) => one - other));
    expect(timers.most).toBe(1);
    expect(timers.going).toBe(0);
    expect(heap.size).toBe(0);
  });

  it('fires alarms of the same time in the order they were set, including overdue ones set by a callback', async () => {
    const { manual, heap } = watchTimers();
    const rung: string[] = [];
    heap.set(10, () => {
      rung.push('first');
      heap.set(5, () => void rung.push('overdue'));
    });
    heap.set(10, () => void rung.push('second'));
    await manual.advance(10);
    expect(rung).toEqual(['first', 'overdue', 'second']);
  });

  it('never fires cancelled alarms, and removes them', async () => {
    const { manual, heap, timers } = watchTimers();
    const rung: number[] = [];
    const alarms: ClockTimer[] = Array.from({ length: 1_000 }, (_, at) =>
      heap.set(at, () => void rung.push(at)),
    );
    for (const [at, alarm] of alarms.entries()) if (at % 10 !== 0) alarm.cancel();
    for (const alarm of alarms.slice(1, 10)) alarm.cancel();
    expect(heap.size).toBe(100);
    await manual.advance(1_000);
    expect(rung).toEqual(Array.from({ length: 100 }, (_, index) => index * 10));
    const last = heap.set(5_000, () => {});
    last.cancel();
    expect(timers.going).toBe(0);
  });

  it('checks the time at least once a minute, so that it notices a jump of the clock', async () => {
    const { manual, heap, timers } = watchTimers();
    const rung: number[] = [];
    heap.set(86_400_000, () => void rung.push(manual.now()));
    expect(timers.delays).toEqual([60_000]);
    await manual.leap(100_000_000);
    expect(rung).toEqual([100_000_000]);
  });

  it('keeps the process alive only while an alarm with keepsAlive is set', () => {
    const { heap, timers } = watchTimers();
    heap.set(1_000, () => {});
    const alive = heap.set(2_000, () => {}, { keepsAlive: true });
    alive.cancel();
    expect(timers.keepsAlive).toEqual([false, true, false]);
    expect(timers.going).toBe(1);
  });

  it('yields to other timers between many alarms of the same time', async () => {
    const { manual, heap, timers } = watchTimers();
    let rung = 0;
    for (let at = 0; at < 1_000; at += 1) heap.set(10, () => void (rung += 1));
    await manual.advance(10);
    expect(rung).toBe(1_000);
    expect(timers.delays).toEqual([10, 0, 0, 0]);
  });

  it('fires alarms outside the async context in which they were set', async () => {
    const context = new AsyncLocalStorage<string>();
    const rung = Promise.withResolvers<string | undefined>();
    const hold = setTimeout(() => {}, 10_000);
    const heap = TimerHeap.of({ ...systemClock });
    context.run('a request', () => heap.set(systemClock.now(), () => rung.resolve(context.getStore())));
    expect(await rung.promise).toBeUndefined();
    clearTimeout(hold);
  });
});
