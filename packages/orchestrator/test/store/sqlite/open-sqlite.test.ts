import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.js';

it.each(['file:runs.db', 'file::memory:', 'file:///tmp/runs.db?mode=memory'])(
  'refuses %s, which SQLite would take for a URL and so open a different file',
  (path) => {
    expect(() => openSqlite({ path, synchronous: 'full', migrate: () => undefined })).toThrow(
      expect.objectContaining({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining("pass the path without 'file:'"),
      }),
    );
    expect(existsSync(path)).toBe(false);
  },
);

it('creates no file for an in-memory database', () => {
  const database = openSqlite({ path: ':memory:', synchronous: 'full', migrate: () => undefined });
  database.exec('CREATE TABLE notes (text TEXT)');
  database.close();
  expect(existsSync(':memory:')).toBe(false);
});
