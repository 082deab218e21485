/**
 * A process with one job on a shared file: appends a line for each run to `log`, and reports on standard output.
 * Arguments: the mode, the store's file, the log's file.
 */
import { appendFileSync } from 'node:fs';
import { every } from '../../../../src/scheduling/schedules.js';
import { sqliteScheduleStore } from '../../../../src/scheduling/store/sqlite-schedule-store.js';

const [, , mode = '', path = '', log = ''] = process.argv;
const isShared = mode === 'share';
const builder = every(isShared ? 50 : 200)
  .withName('digest')
  // A long lease where no process is killed, so that a busy machine does not let it expire.
  .withStore(sqliteScheduleStore({ path }), { leaseMs: isShared ? 5_000 : 1_000 })
  .withOverlap({ maxOverlap: 0 });
const say = (line: string) => process.stdout.write(`${line}\n`);

function note(scheduledAt: Date, attempt: number): void {
  appendFileSync(log, `${scheduledAt.getTime()} ${attempt} ${process.pid}\n`);
}

if (isShared) {
  builder
    .withMaxRuns(40)
    .withKeepAlive()
    .run(({ scheduledAt, attempt }) => note(scheduledAt, attempt));
} else if (mode === 'hang') {
  builder.withKeepAlive().run(async ({ scheduledAt, attempt }) => {
    note(scheduledAt, attempt);
    say('fired');
    await new Promise(() => {});
  });
} else if (mode === 'again' || mode === 'record') {
  const job = builder
    .withRetry({ maxAttempts: 2, retryInterrupted: mode === 'again' })
    .withMisfire('skip')
    .withKeepAlive()
    .run(({ scheduledAt, attempt }) => note(scheduledAt, attempt));
  const seen: string[] = [];
  for await (const run of job.runs()) {
    seen.push(run.status);
    if (run.status === 'interrupted') say(`interrupted ${run.scheduledAt.getTime()}`);
    if (seen.includes('interrupted') && run.status === 'succeeded' && seen.length > 4) break;
  }
  await job.stop();
  say('over');
} else if (mode === 'idle') {
  builder.run(() => {});
  say('idle');
}
