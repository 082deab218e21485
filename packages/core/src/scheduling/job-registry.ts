import type { ScheduledJob, StopOptions } from './job.js';

const jobs = new Set<ScheduledJob>();

/** Keeps a job among the listed ones until it is over. */
export function registerJob(job: ScheduledJob): void {
  jobs.add(job);
  void job.finished.then(() => jobs.delete(job));
}

/** The jobs of this process that are not over, oldest first. */
export function listJobs(): readonly ScheduledJob[] {
  return [...jobs];
}

/** Stops every job of this process, as `job.stop` does. */
export async function stopAllJobs(options: StopOptions = {}): Promise<void> {
  await Promise.all([...jobs].map(async (job) => job.stop(options)));
}
