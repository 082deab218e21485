import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { GroupCommit } from '../../../src/store/sqlite/group-commit.js';

function openGroup() {
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  database.exec('CREATE TABLE notes (text TEXT PRIMARY KEY)');
  const commits = new GroupCommit(database);
  const add = (text: string) =>
    commits.write(() => {
      database.prepare('INSERT INTO notes VALUES (?)').run(text);
      return text;
    });
  const notes = () =>
    database
      .prepare('SELECT text FROM notes ORDER BY text')
      .all()
      .map(({ text }) => text);
  return { database, commits, add, notes };
}

it('commits the writes of one turn together, except one that throws', async () => {
  const { commits, add, notes } = openGroup();
  const throwing = commits.write(() => {
    throw new Error('not this one');
  });
  const settled = await Promise.allSettled([add('a'), throwing, add('b')]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(notes()).toEqual(['a', 'b']);
});

it('commits nothing of a turn in which the database fails, and continues with the next', async () => {
  const { add, notes } = openGroup();
  const settled = await Promise.allSettled([add('a'), add('a'), add('b')]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(notes()).toEqual([]);
  expect(await add('c')).toBe('c');
  expect(notes()).toEqual(['c']);
});

it('reports a full disk with a code, and continues once there is room', async () => {
  const { database, add, notes } = openGroup();
  database.exec('PRAGMA max_page_count = 4');
  const settled = await Promise.allSettled([add('a'), add('b'.repeat(20_000))]);
  const reason = {
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('database or disk is full'),
    cause: { code: 'ERR_SQLITE_ERROR' },
  };
  expect(settled).toMatchObject([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
  database.exec('PRAGMA max_page_count = 1000');
  await add('c');
  expect(notes()).toEqual(['c']);
});

it('commits pending writes when it is closed, and refuses later ones', async () => {
  const { commits, add, notes } = openGroup();
  const last = add('a');
  commits.close();
  expect(notes()).toEqual(['a']);
  expect(await last).toBe('a');
  await expect(add('b')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
});
