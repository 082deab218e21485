import type { DatabaseSync } from 'node:sqlite';
import { applyMigrations } from './apply-migrations.js';
import type { OwnerLock } from './owner-lock.js';

/** The tables, by version: each step migrates the file from one version to the next. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE runs (
    session_id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    thread_id TEXT,
    status TEXT NOT NULL,
    labels TEXT NOT NULL,
    request TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER,
    owner TEXT,
    lease_until_ms INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    last_seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX runs_by_project ON runs (project_id, created_at_ms DESC, session_id DESC);
  CREATE INDEX runs_by_time ON runs (created_at_ms DESC, session_id DESC);
  CREATE INDEX runs_open ON runs (project_id) WHERE ended_at_ms IS NULL;
  CREATE TABLE journal (
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    key TEXT,
    slot TEXT,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (session_id, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX journal_keys ON journal (session_id, key) WHERE key IS NOT NULL;
  CREATE UNIQUE INDEX journal_slots ON journal (session_id, slot) WHERE slot IS NOT NULL;
  CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id TEXT NOT NULL,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER,
    UNIQUE (project_id, collection, id)
  ) STRICT;
  CREATE INDEX documents_in_order ON documents (project_id, collection, number);
  CREATE INDEX documents_by_expiry ON documents (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
  CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  // Queries made every few seconds must not read the requests of all ended runs.
  `
  DROP INDEX runs_open;
  CREATE INDEX runs_open_by_project ON runs (project_id, created_at_ms DESC, session_id DESC)
    WHERE ended_at_ms IS NULL;
  CREATE INDEX runs_open_by_time ON runs (created_at_ms DESC, session_id DESC) WHERE ended_at_ms IS NULL;
  CREATE INDEX runs_by_thread ON runs (project_id, thread_id, created_at_ms DESC, session_id DESC)
    WHERE thread_id IS NOT NULL;
  CREATE INDEX runs_by_end ON runs (ended_at_ms) WHERE ended_at_ms IS NOT NULL;
  `,
  // A row is rewritten whenever its run advances, whereas a request may have megabytes and never changes.
  `
  CREATE TABLE requests (session_id TEXT PRIMARY KEY, request TEXT NOT NULL) STRICT;
  INSERT INTO requests (session_id, request) SELECT session_id, request FROM runs;
  ALTER TABLE runs DROP COLUMN request;
  `,
];

/**
 * Migrates a file to the newest version.
 * @throws RangeError when a newer version wrote it
 * @throws RunStoreError `STORE_IN_USE` when an older version wrote it and another process works on it
 */
export function migrate(database: DatabaseSync, lock: OwnerLock): void {
  try {
    applyMigrations(database, {
      what: 'database',
      migrations,
      readVersion: () => Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0),
      stamp: (version) => `PRAGMA user_version = ${version};`,
      takeOver: () => lock.take(),
    });
  } finally {
    lock.release();
  }
}
