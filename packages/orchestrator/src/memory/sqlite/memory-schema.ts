import type { DatabaseSync } from 'node:sqlite';
import { applyMigrations } from '../../store/sqlite/apply-migrations.js';

/** The tables, by version: each step migrates from one version to the next. They share a file with the runs. */
const migrations: readonly string[] = [
  `
  CREATE TABLE memory_assets (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    project_id TEXT NOT NULL,
    organization TEXT NOT NULL,
    id TEXT NOT NULL,
    reach TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    lineage TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    is_live INTEGER NOT NULL,
    is_retained INTEGER NOT NULL,
    session_id TEXT,
    value TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER,
    UNIQUE (project_id, kind, id)
  ) STRICT;
  CREATE INDEX memory_assets_in_order ON memory_assets (project_id, kind, number);
  CREATE INDEX memory_assets_by_lineage ON memory_assets (project_id, kind, lineage);
  CREATE INDEX memory_assets_by_hash ON memory_assets (project_id, content_hash);
  CREATE INDEX memory_assets_by_organization ON memory_assets (organization, updated_at_ms);
  CREATE INDEX memory_assets_by_expiry ON memory_assets (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
  CREATE TABLE memory_passages (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    asset INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    model TEXT,
    vector BLOB
  ) STRICT;
  CREATE INDEX memory_passages_by_asset ON memory_passages (asset, ordinal);
  CREATE INDEX memory_passages_by_model ON memory_passages (model, number);
  CREATE VIRTUAL TABLE memory_text USING fts5(tenant, text, tokenize = 'porter unicode61 remove_diacritics 2');
  CREATE TABLE memory_blobs (
    project_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (project_id, hash)
  ) STRICT;
  CREATE TABLE memory_edges (
    asset INTEGER NOT NULL,
    entity TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    PRIMARY KEY (asset, entity)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX memory_edges_by_entity ON memory_edges (entity, asset);
  CREATE TABLE memory_policies (
    organization TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE memory_runs (
    session_id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX memory_runs_by_time ON memory_runs (at_ms);
  `,
  `
  ALTER TABLE memory_runs ADD COLUMN assets TEXT NOT NULL DEFAULT '[]';
  `,
  `
  UPDATE memory_assets
    SET lineage = CASE WHEN lineage = id THEN 'id:' ELSE 'name:' END || lineage
    WHERE kind = 'skill' AND NOT (is_retained = 1 AND lineage LIKE 'procedure:%');
  `,
  // Indexes for what is queried with every record or repeatedly, to avoid full scans.
  `
  CREATE TABLE memory_usage (
    project_id TEXT PRIMARY KEY,
    records INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO memory_usage
    SELECT project_id, sum(records), sum(bytes) FROM (
      SELECT project_id, 1 AS records, 0 AS bytes FROM memory_assets
      UNION ALL SELECT project_id, 0, length(bytes) FROM memory_blobs
    ) GROUP BY project_id;
  CREATE INDEX memory_assets_retained ON memory_assets (organization, updated_at_ms) WHERE is_retained = 1;
  CREATE TRIGGER memory_asset_added AFTER INSERT ON memory_assets BEGIN
    INSERT INTO memory_usage VALUES (new.project_id, 1, 0)
      ON CONFLICT (project_id) DO UPDATE SET records = records + 1;
  END;
  CREATE TRIGGER memory_asset_removed AFTER DELETE ON memory_assets BEGIN
    UPDATE memory_usage SET records = records - 1 WHERE project_id = old.project_id;
  END;
  CREATE TRIGGER memory_blob_added AFTER INSERT ON memory_blobs BEGIN
    INSERT INTO memory_usage VALUES (new.project_id, 0, length(new.bytes))
      ON CONFLICT (project_id) DO UPDATE SET bytes = bytes + length(new.bytes);
  END;
  CREATE TRIGGER memory_blob_removed AFTER DELETE ON memory_blobs BEGIN
    UPDATE memory_usage SET bytes = bytes - length(old.bytes) WHERE project_id = old.project_id;
  END;
  `,
  // Every turn scans the vectors of its project, which must not include those of all others.
  `
  ALTER TABLE memory_passages ADD COLUMN project_id TEXT NOT NULL DEFAULT '';
  UPDATE memory_passages
    SET project_id = (SELECT asset.project_id FROM memory_assets AS asset WHERE asset.number = memory_passages.asset);
  CREATE INDEX memory_passages_of_project ON memory_passages (project_id, model, number);
  CREATE INDEX memory_assets_shared ON memory_assets (organization) WHERE reach = 'org';
  `,
  // Otherwise the words of deleted texts stay in the index until it happens to be merged.
  `
  INSERT INTO memory_text (memory_text, rank) VALUES ('secure-delete', 1);
  `,
];

/** Migrates the tables of memory to the newest version. @throws RangeError when a newer version wrote them */
export function migrateMemory(database: DatabaseSync): void {
  // What is purged or expires must not stay in the file's free pages.
  database.exec('PRAGMA secure_delete = ON');
  database.exec('CREATE TABLE IF NOT EXISTS memory_version (version INTEGER NOT NULL) STRICT');
  applyMigrations(database, {
    what: 'memory',
    migrations,
    readVersion: () => Number(database.prepare('SELECT version FROM memory_version').get()?.['version'] ?? 0),
    stamp: (version) => `DELETE FROM memory_version; INSERT INTO memory_version VALUES (${version});`,
  });
}
