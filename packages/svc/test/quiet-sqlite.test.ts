import { expect, it } from 'vitest';
import { quietSqlite } from '../src/quiet-sqlite.js';

it('passes on every warning except that of SQLite, unchanged', () => {
  const given: unknown[][] = [];
  const process = { emitWarning: (...details: unknown[]) => void given.push(details) };
  quietSqlite(process);
  process.emitWarning(
    'SQLite is an experimental feature and might change at any time',
    'ExperimentalWarning',
  );
  process.emitWarning('MaxListenersExceededWarning', { code: 'X' });
  const error = new Error('SQLite');
  process.emitWarning(error);
  expect(given).toEqual([['MaxListenersExceededWarning', { code: 'X' }], [error]]);
});
