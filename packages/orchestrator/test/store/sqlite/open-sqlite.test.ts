import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.js';

it('creates no file for an in-memory database', () => {
  const database = openSqlite({ path: ':memory:', synchronous: 'full', migrate: () => undefined });
  database.exec('CREATE TABLE notes (text TEXT)');
  database.close();
  expect(existsSync(':memory:')).toBe(false);
});
