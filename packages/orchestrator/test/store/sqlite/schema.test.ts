import { DatabaseSync } from 'node:sqlite';
import type { RunQuery } from '@svc/contracts/orchestrator';
import { expect, it, onTestFinished } from 'vitest';
import { listStatement } from '../../../src/store/sqlite/list-statement.js';
import { migrate } from '../../../src/store/sqlite/schema.js';

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

// Thousands of ended runs with requests of many pages: a list that walks over them holds the whole process up.
it.each(lists)('the index %s finds %o', (index, query) => {
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  migrate(database);
  const { sql, values } = listStatement({ ...query, limit: 5 });
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(new RegExp(`INDEX ${index}\\b`))]);
});
