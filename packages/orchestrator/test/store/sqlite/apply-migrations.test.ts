import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { applyMigrations } from '../../../src/store/sqlite/apply-migrations.js';

const migrations = ['CREATE TABLE first (a)', 'CREATE TABLE second (b)'];

async function openTwice() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'));
  const databases = [0, 1].map(() => new DatabaseSync(join(folder, 'a.db')));
  onTestFinished(async () => {
    for (const database of databases) database.close();
    await rm(folder, { recursive: true });
  });
  return databases;
}

function migrate(database: DatabaseSync, steps: readonly string[], onFirstRead = () => {}): boolean {
  let hasTakenOver = false;
  let read = () => {
    read = () => {};
    onFirstRead();
  };
  applyMigrations(database, {
    what: 'database',
    migrations: steps,
    readVersion: () => {
      const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
      read();
      return version;
    },
    stamp: (version) => `PRAGMA user_version = ${version};`,
    takeOver: () => {
      hasTakenOver = true;
    },
  });
  return hasTakenOver;
}

const tablesOf = (database: DatabaseSync) =>
  database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();

it('applies the missing migrations', async () => {
  const [database = new DatabaseSync(':memory:')] = await openTwice();
  expect(migrate(database, migrations.slice(0, 1))).toBe(false);
  expect(migrate(database, migrations)).toBe(true);
  expect(migrate(database, migrations)).toBe(false);
  expect(tablesOf(database)).toEqual([{ name: 'first' }, { name: 'second' }]);
});

it('leaves the migrations to another process that applies them at the same time', async () => {
  const [one, other] = await openTwice();
  if (!one || !other) throw new Error('there are two');
  expect(migrate(one, migrations, () => void migrate(other, migrations))).toBe(false);
  expect(tablesOf(one)).toEqual([{ name: 'first' }, { name: 'second' }]);
});

it('applies no migration when one of them fails, and leaves no transaction open', async () => {
  const [one, other] = await openTwice();
  if (!one || !other) throw new Error('there are two');
  expect(() => migrate(one, [...migrations, 'CREATE nonsense'])).toThrow(/nonsense/);
  expect(tablesOf(one)).toEqual([]);
  migrate(other, migrations);
  expect(tablesOf(other)).toHaveLength(2);
});
