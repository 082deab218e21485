import { onTestFinished } from 'vitest';
import { stopAllJobs } from '../../src/scheduling/job-registry.js';
import type { ScheduledJob } from '../../src/scheduling/job.js';
import { ManualClock } from '../../src/scheduling/manual-clock.js';
import type { FireContext } from '../../src/scheduling/run-fire.js';
import type { ScheduleStore } from '../../src/scheduling/schedule-store.js';

/** A clock that stands at noon of the first of January 2026, and what a test needs around it. */
export function startAtNoon(start = '2026-01-01T12:00:00Z'): ManualClock {
  onTestFinished(async () => stopAllJobs({ drain: false }));
  return new ManualClock(start);
}

/** Work that takes some time of a clock and stops when it is told to. */
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

/** A moment as minutes, seconds and milliseconds of its hour. */
export function timeOf(moment: number | Date | undefined): string {
  return moment === undefined
    ? '-'
    : new Date(moment)
        .toISOString()
        .slice(14, 23)
        .replace(/\.000$/, '');
}

/** What became of a job's fires, in short. */
export function statusesOf(job: ScheduledJob): string[] {
  return job.history.map(({ status }) => status);
}

/** What became of the fires of the job `digest`, as its store has it. */
export async function storedStatusesOf(store: ScheduleStore): Promise<string[]> {
  return (await store.history('digest', 100)).map(({ status }) => status);
}
