import { expect, it } from 'vitest';
import { quietSqlite } from '../src/quiet-sqlite.js';

it('keeps every warning but that of SQLite, as it was given', () => {
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
