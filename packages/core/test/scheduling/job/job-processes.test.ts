import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteScheduleStore } from '../../../src/scheduling/store/sqlite-schedule-store.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-jobs-'));
const worker = join(folder, 'worker.mjs');
const children = new Set<ChildProcess>();
let files = 0;

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'processes/worker.ts')],
    outfile: worker,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@svc/source'],
  });
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the paths of a store and of a log of runs, and a reader of that log's lines. */
function newFiles(): { path: string; log: string; lines: () => string[][] } {
  files += 1;
  const [path, log] = [join(folder, `${files}.db`), join(folder, `${files}.log`)];
  const lines = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(' '))
      : [];
  return { path, log, lines };
}

function start(mode: string, { path, log }: { path: string; log: string }) {
  const child = spawn(process.execPath, ['--no-warnings', worker, mode, path, log], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const ended = once(child, 'exit').then(([code]: unknown[]) => {
    children.delete(child);
    return code;
  });
  return { child, ended, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

describe('processes that share a store', () => {
  it('run each fire of a job once in total, up to maxRuns', async () => {
    const files = newFiles();
    const workers = [start('share', files), start('share', files), start('share', files)];
    expect(await Promise.all(workers.map(async ({ ended }) => ended))).toEqual([0, 0, 0]);
    const scheduled = files.lines().map(([scheduledAt]) => scheduledAt);
    expect(scheduled).toHaveLength(40);
    expect(new Set(scheduled).size).toBe(40);
    const store = sqliteScheduleStore({ path: files.path });
    const fires = await store.history('digest', 100);
    expect(
      fires
        .filter(({ status }) => status === 'succeeded')
        .map((fire) => fire.scheduled_at_ms)
        .sort(),
    ).toEqual(scheduled.map(Number).sort());
    await store.close();
  });

  it.each([
    ['record', 1],
    ['again', 2],
  ])(
    'record a fire as interrupted if its process was killed (worker mode %s, attempts: %d)',
    async (mode, attempts) => {
      const files = newFiles();
      const first = start('hang', files);
      expect((await first.lines.next()).value).toBe('fired');
      first.child.kill('SIGKILL');
      await first.ended;
      const killed = files.lines().filter(([, attempt]) => attempt === '1');
      const second = start(mode, files);
      const interrupted = await second.lines.next();
      expect(interrupted.value).toBe(`interrupted ${killed[0]?.[0]}`);
      expect(await second.ended).toBe(0);
      expect(files.lines().filter(([scheduledAt]) => scheduledAt === killed[0]?.[0])).toHaveLength(attempts);
      const store = sqliteScheduleStore({ path: files.path });
      const fires = await store.history('digest', 100);
      const ofKilled = fires.filter(({ scheduled_at_ms }) => String(scheduled_at_ms) === killed[0]?.[0]);
      expect(ofKilled.map(({ status }) => status)).toEqual(['interrupted', 'succeeded'].slice(0, attempts));
      await store.close();
    },
  );
});

it('a job does not keep its process alive without withKeepAlive', async () => {
  const idle = start('idle', newFiles());
  expect((await idle.lines.next()).value).toBe('idle');
  expect(await idle.ended).toBe(0);
});
