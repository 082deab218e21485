/**
 * Runs many jobs on the real clock and measures CPU per fire, the lateness of fires, and memory per job.
 *
 *   pnpm build && node bench/scheduling/soak.ts [jobs=10000] [seconds=30] [kind=interval|cron|jitter|sqlite|croner]
 *
 * `sqlite` writes each fire to a file twice, when it begins and when it ends.
 * `croner` is the cron library on its own, with one timer per job, for comparison.
 */
import {
  cron,
  every,
  listJobs,
  sqliteScheduleStore,
  stopAllJobs,
  type ScheduleStore,
} from '@svc/core/scheduling';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [jobs = '10000', seconds = '30', kind = 'interval'] = process.argv.slice(2);
const count = Number(jobs);
const lateMs: number[] = [];
let fires = 0;
let named = 0;
let store: ScheduleStore | undefined;
let folder: string | undefined;

function note(dueMs: number): void {
  fires += 1;
  if (fires % 7 === 0) lateMs.push(Date.now() - dueMs);
}

const starters: Record<string, () => void> = {
  interval: () =>
    void every(1_000)
      .withHistory(10)
      .run(({ scheduledAt }) => note(scheduledAt.getTime())),
  cron: () =>
    void cron('* * * * * *')
      .withHistory(10)
      .run(({ scheduledAt }) => note(scheduledAt.getTime())),
  jitter: () =>
    void every(1_000)
      .withHistory(10)
      .withJitter({ minMs: 0, maxMs: 900 })
      .withCallbacks({
        onSuccess: ({ scheduledAt, jitterMs, firedAt }) =>
          note(scheduledAt.getTime() + jitterMs + (Date.now() - (firedAt?.getTime() ?? 0))),
      })
      .run(() => {}),
  sqlite: () => {
    store ??= sqliteScheduleStore({
      path: join((folder = mkdtempSync(join(tmpdir(), 'soak-'))), 'jobs.db'),
      maxRecordsPerJob: 10,
    });
    every(1_000)
      .withHistory(10)
      .withName(`job ${(named += 1)}`)
      .withStore(store)
      .run(({ scheduledAt }) => note(scheduledAt.getTime()));
  },
  croner: () => {
    const { Cron } = createRequire(new URL('../../packages/core/package.json', import.meta.url))('croner');
    const task = new Cron('* * * * * *', () => note(Math.floor(Date.now() / 1_000) * 1_000));
    if (!task.nextRun()) throw new Error('croner has no next run');
  },
};

const start = starters[kind];
if (!start) throw new Error(`kind must be one of ${Object.keys(starters).join(', ')}, got '${kind}'`);
const hold = setInterval(() => {}, 60_000);
globalThis.gc?.();
const heapBefore = process.memoryUsage().heapUsed;
const cpuStart = process.cpuUsage();
for (let made = 0; made < count; made += 1) start();
await new Promise((resolve) => setTimeout(resolve, 2_000));
globalThis.gc?.();
const heapAfter = process.memoryUsage().heapUsed;
const cpuMade = process.cpuUsage(cpuStart);

fires = 0;
lateMs.length = 0;
const cpu = process.cpuUsage();
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000));
const used = process.cpuUsage(cpu);
const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
const sorted = lateMs.toSorted((one, other) => one - other);
const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

console.log(
  JSON.stringify({
    kind,
    jobs: count,
    seconds: Number(seconds),
    fires,
    expected_fires: count * Number(seconds),
    cpu_us_per_fire: Number(((used.user + used.system) / Math.max(1, fires)).toFixed(2)),
    cpu_percent: Number((((used.user + used.system) / (Number(seconds) * 1e6)) * 100).toFixed(1)),
    start_us_per_job: Number(((cpuMade.user + cpuMade.system) / count).toFixed(1)),
    heap_bytes_per_job: globalThis.gc ? Math.round((heapAfter - heapBefore) / count) : undefined,
    late_ms_p50: at(0.5),
    late_ms_p99: at(0.99),
    timers_in_process: timers,
    listed: kind === 'croner' ? undefined : listJobs().length,
  }),
);
clearInterval(hold);
await stopAllJobs();
await store?.close();
if (folder) rmSync(folder, { recursive: true });
process.exit(0);
