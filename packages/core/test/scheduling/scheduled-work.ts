import { onTestFinished } from 'vitest';
import { stopAllJobs } from '../../src/scheduling/job/job-registry.js';
import type { ScheduledJob } from '../../src/scheduling/job/job.js';
import { ManualClock } from '../../src/scheduling/clock/manual-clock.js';
import type { FireContext } from '../../src/scheduling/fire/run-fire.js';
import type { ScheduleStore } from '../../src/scheduling/store/schedule-store.js';

/** Returns a clock set to noon on 1 January 2026, and stops all jobs when the test ends. */
export function startAtNoon(start = '2026-01-01T12:00:00Z'): ManualClock {
  onTestFinished(async () => stopAllJobs({ drain: false }));
  return new ManualClock(start);
}

/** Work that takes `durationMs` on a clock and stops when its signal aborts; `begun` lists the start times. */
export function takeMs(clock: ManualClock, durationMs: number) {
  const begun: string[] = [];
  const work = async ({ signal }: FireContext) => {
    begun.push(timeOf(clock.now()));
    await new Promise<void>((resolve, reject) => {
      const timer = clock.startTimer(durationMs, resolve);
      signal.addEventListener('abort', () => {
        timer.cancel();
        reject(signal.reason);
      });
    });
    return timeOf(clock.now());
  };
  return { begun, work };
}

/** Formats a time as minutes, seconds and milliseconds of its hour. */
export function timeOf(moment: number | Date | undefined): string {
  return moment === undefined
    ? '-'
    : new Date(moment)
        .toISOString()
        .slice(14, 23)
        .replace(/\.000$/, '');
}

/** The statuses of a job's fires. */
export function statusesOf(job: ScheduledJob): string[] {
  return job.history.map(({ status }) => status);
}

/** The statuses of the fires of the job `digest` in its store. */
export async function storedStatusesOf(store: ScheduleStore): Promise<string[]> {
  return (await store.history('digest', 100)).map(({ status }) => status);
}
