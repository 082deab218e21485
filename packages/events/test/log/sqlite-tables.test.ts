import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { SqliteTables } from '../../src/log/sqlite-tables.js';

const entry = (seq: number, frames: string) => ({ sessionId: 's', seq, kind: 'event' as const, frames });

it('throws the original error when SQLite has already ended the transaction', () => {
  const database = new DatabaseSync(':memory:');
  const tables = new SqliteTables(database);
  database.exec('PRAGMA max_page_count = 20');
  const fill = () => tables.insertEntry(entry(1, 'x'.repeat(1_000_000)));
  expect(() => tables.transaction(fill)).toThrow(/full/);
  tables.transaction(() => tables.insertEntry(entry(1, 'small')));
  expect(Array.from(tables.readEntries('s', 0), ({ frames }) => frames)).toEqual(['small']);
});

it('reads entries from the database only as they are consumed', () => {
  const database = new DatabaseSync(':memory:');
  const tables = new SqliteTables(database);
  for (let seq = 1; seq <= 10; seq += 1) tables.insertEntry(entry(seq, `${seq}`));
  const seen: unknown[] = [];
  database.function('seen', (frames) => {
    seen.push(frames);
    return frames;
  });
  database.exec(
    'CREATE TEMP VIEW entries AS SELECT session_id, seq, kind, seen(frames) AS frames, safe_frames, note FROM main.entries',
  );
  for (const { seq } of tables.readEntries('s', 2)) if (seq === 4) break;
  expect(seen).toEqual(['3', '4']);
  expect(Array.from(tables.readEntries('s', 8), ({ seq }) => seq)).toEqual([9, 10]);
});

it('finds sessions written to before a time, but not at exactly that time', () => {
  const tables = new SqliteTables(new DatabaseSync(':memory:'));
  const row = {
    epochs: [],
    oldestSeq: 1,
    headSeq: 0,
    turnSeq: 0,
    headKind: undefined,
    checkpoint: undefined,
  };
  for (const writtenMs of [999, 1_000]) tables.writeSession(`at ${writtenMs}`, row, writtenMs);
  expect(tables.sessionsBefore(1_000, { sessions: 9, entries: 9 })).toEqual(['at 999']);
  expect(tables.readSession('at 999')).toStrictEqual(row);
});

it('locks out other writers even during a transaction that only reads, and waits 5 s for a lock', () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-tables-'));
  const path = join(directory, 'events.db');
  const own = new DatabaseSync(path);
  const other = new DatabaseSync(path);
  onTestFinished(() => {
    own.close();
    other.close();
    rmSync(directory, { recursive: true });
  });
  const tables = new SqliteTables(own);
  tables.transaction(() => {
    expect(tables.readSession('s')).toBeUndefined();
    expect(() => other.exec('BEGIN IMMEDIATE')).toThrow(/locked/);
  });
  expect(own.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 5_000 });
});
