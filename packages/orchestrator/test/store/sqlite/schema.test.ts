import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunQuery } from '@svc/contracts/orchestrator';
import { expect, it, onTestFinished } from 'vitest';
import { newFolder } from '../../support/new-folder.js';
import { applyMigrations } from '../../../src/store/sqlite/apply-migrations.js';
import { listStatement } from '../../../src/store/sqlite/list-statement.js';
import { OwnerLock } from '../../../src/store/sqlite/owner-lock.js';
import { migrate, migrations } from '../../../src/store/sqlite/schema.js';
import { sqliteRunStore } from '../../../src/store/sqlite/sqlite-run-store.js';

const claimableBy = { owner: 'local', nowMs: 1 };
const before = { createdAtMs: 1, sessionId: 's' };
const lists: [string, Omit<RunQuery, 'limit'>][] = [
  ['runs_open_by_time', { ended: false, claimableBy }],
  ['runs_open_by_time', { ended: false, claimableBy, before }],
  ['runs_open_by_project', { projectId: 'p', ended: false }],
  ['runs_open_by_project', { projectId: 'p', ended: false, before }],
  ['runs_by_project', { projectId: 'p' }],
  ['runs_by_project', { projectId: 'p', ended: true }],
  ['runs_by_thread', { projectId: 'p', threadId: 't' }],
];

// With thousands of ended runs and large requests, a list that scans them all would block the process.
it.each(lists)('uses the index %s for %o', (index, query) => {
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  migrate(database, new OwnerLock(':memory:'));
  const { sql, values } = listStatement({ ...query, limit: 5 });
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(new RegExp(`INDEX ${index}\\b`))]);
});

/** Creates a file of an older release, with one run. */
async function oldFile(version: number): Promise<string> {
  const path = join(await newFolder(), 'runs.db');
  const database = new DatabaseSync(path);
  applyMigrations(database, {
    what: 'database',
    migrations: migrations.slice(0, version),
    readVersion: () => 0,
    stamp: () => `PRAGMA user_version = ${version};`,
  });
  database.exec(`INSERT INTO runs VALUES ('s', 'p', 'k', 't', 'running', '{"a":1}', '{"messages":[]}', 1, 2, NULL, 'local',
    3, 4, 5); INSERT INTO journal VALUES ('s', 5, 'event', '"e"', NULL, NULL, 2);`);
  database.close();
  return path;
}

const oldVersions = migrations.map((_, index) => index).slice(1);

it.each(oldVersions)('continues a run from a file of version %d', async (version) => {
  const path = await oldFile(version);
  const store = sqliteRunStore({ path });
  onTestFinished(() => store.close());
  const run = { sessionId: 's', labels: { a: 1 }, request: { messages: [] }, threadId: 't', lastSeq: 5 };
  expect(await store.readRun('s')).toMatchObject(run);
  expect(await store.claimRun('s', { owner: 'local', nowMs: 9, leaseMs: 1 })).toMatchObject({ epoch: 5 });
  const end = { entries: [], nowMs: 9, epoch: 5, ends: true };
  expect(await store.append('s', end)).toEqual({ outcome: 'appended', lastSeq: 5 });
  expect(await store.sweep({ endedBeforeMs: 10, nowMs: 10 })).toBe(1);
  const database = new DatabaseSync(path);
  for (const table of ['runs', 'requests', 'journal'])
    expect(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()).toEqual({ rows: 0 });
  database.close();
});

it('does not migrate a file that a process of an older release still uses', async () => {
  const path = await oldFile(1);
  const lock = new OwnerLock(path);
  lock.take();
  expect(() => sqliteRunStore({ path })).toThrow(expect.objectContaining({ code: 'STORE_IN_USE' }));
  const database = new DatabaseSync(path);
  expect(database.prepare('SELECT request FROM runs').all()).toHaveLength(1);
  database.close();
  lock.release();
  await sqliteRunStore({ path }).close();
});
