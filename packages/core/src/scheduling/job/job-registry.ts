import type { ScheduledJob, StopOptions } from './job.js';

const jobs = new Set<ScheduledJob>();

/** Lists a job until it has ended. */
export function registerJob(job: ScheduledJob): void {
  jobs.add(job);
  void job.finished.then(() => jobs.delete(job));
}

/** Returns the jobs of this process that have not ended, oldest first. */
export function listJobs(): readonly ScheduledJob[] {
  return [...jobs];
}

/** Stops every job of this process, like `job.stop`. */
export async function stopAllJobs(options: StopOptions = {}): Promise<void> {
  await Promise.all([...jobs].map(async (job) => job.stop(options)));
}
