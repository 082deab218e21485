import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { tenantTerm } from './full-text-query.js';
import type { MemoryAsset, MemoryKind } from '../records/memory-asset.js';
import { visibleTo, type MemoryViewer } from '../records/memory-viewer.js';
import type { Row } from '../../store/sqlite/columns.js';
import { assetOf } from './asset-rows.js';

/** Which records a search covers. */
export interface PassageSearch {
  readonly viewer: MemoryViewer;
  readonly kinds: readonly MemoryKind[];
  readonly nowMs: number;
  /** What runs stored before this time is no longer found. */
  readonly retainedSinceMs: number;
  readonly limit: number;
}

/** A passage that was found. */
export interface PassageHit {
  readonly passage: number;
  readonly ordinal: number;
  readonly text: string;
  readonly asset: MemoryAsset;
}

/** A passage without a vector. */
export interface UnembeddedPassage {
  readonly passage: number;
  readonly text: string;
}

/** The texts that records are found by: full text in FTS5, and vectors where they exist. */
export class PassageTable {
  readonly #database: DatabaseSync;
  readonly #statements;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** Replaces the texts of a record. */
  replace(
    asset: Pick<MemoryAsset, 'number' | 'projectId' | 'organization'>,
    passages: readonly string[],
  ): void {
    this.remove(asset.number);
    const project = tenantTerm('project', asset.projectId);
    const tenant = `${project} ${tenantTerm('organization', asset.organization)}`;
    passages.forEach((text, ordinal) => {
      const { lastInsertRowid } = this.#statements.insert.run(asset.number, ordinal, asset.projectId);
      this.#statements.insertText.run(lastInsertRowid, tenant, text);
    });
  }

  /** Replaces a record's first text and drops its vector. */
  rename(asset: number, text: string): void {
    this.#statements.rename.run(text, asset);
    this.#statements.forgetVector.run(asset);
  }

  remove(asset: number): void {
    this.#statements.removeTexts.run(asset);
    this.#statements.remove.run(asset);
  }

  /** The first passage of a record. */
  first(asset: MemoryAsset): PassageHit | undefined {
    const row = this.#statements.first.get(asset.number);
    return row && { passage: Number(row['passage']), ordinal: 0, text: String(row['text']), asset };
  }

  /** The first passages of a record, if the viewer may see it. */
  opening(asset: number, search: PassageSearch): PassageHit[] {
    const { sql, values } = conditions(search);
    return this.#database
      .prepare(
        `${selectHits} FROM memory_passages AS passage
        JOIN memory_text ON memory_text.rowid = passage.number
        JOIN memory_assets AS asset ON asset.number = passage.asset
        WHERE passage.asset = ? AND passage.ordinal < 3 AND ${sql} ORDER BY passage.ordinal`,
      )
      .all(asset, ...values)
      .map(hitOf);
  }

  /** The best passages for an FTS5 query, best first. The query must contain only quoted words; see `anyWordQuery`. */
  searchText(query: string, search: PassageSearch): PassageHit[] {
    const { sql, values } = conditions(search);
    const { projectId, organization } = search.viewer;
    const tenants = [tenantTerm('project', projectId), tenantTerm('organization', organization)];
    const match = `tenant : (${tenants.join(' OR ')}) AND text : (${query})`;
    return this.#database
      .prepare(
        `${selectHits} FROM memory_text
        JOIN memory_passages AS passage ON passage.number = memory_text.rowid
        JOIN memory_assets AS asset ON asset.number = passage.asset
        WHERE memory_text MATCH ? AND ${sql}
        ORDER BY bm25(memory_text, 0.0, 1.0), passage.number DESC LIMIT ?`,
      )
      .all(match, ...values, search.limit)
      .map(hitOf);
  }

  /** The vectors of a model below a passage number, newest first. */
  vectors(
    model: string,
    search: PassageSearch & { below: number },
  ): { passage: number; vector: Float32Array }[] {
    const { sql, values } = conditions(search);
    const { projectId, organization } = search.viewer;
    const select = (from: string) => `SELECT * FROM (
      SELECT passage.number AS passage, passage.vector AS vector FROM ${from} AND ${sql}
      ORDER BY passage.number DESC LIMIT ?)`;
    const rest = [model, search.below, ...values, search.limit];
    // These indexes keep both queries from scanning other projects' private data. The plus signs keep SQLite from
    // choosing others.
    const own = `memory_passages AS passage CROSS JOIN memory_assets AS asset ON asset.number = passage.asset
      WHERE passage.project_id = ? AND passage.model = ? AND passage.number < ?`;
    const shared = `memory_assets AS asset CROSS JOIN memory_passages AS passage ON passage.asset = asset.number
      WHERE asset.reach = 'org' AND asset.organization = ? AND asset.project_id <> ?
      AND +passage.model = ? AND +passage.number < ?`;
    return this.#database
      .prepare(`${select(own)} UNION ALL ${select(shared)} ORDER BY passage DESC LIMIT ?`)
      .all(projectId, ...rest, organization, projectId, ...rest, search.limit)
      .flatMap(({ passage, vector }) =>
        vector instanceof Uint8Array ? [{ passage: Number(passage), vector: floatsOf(vector) }] : [],
      );
  }

  /** A passage by its number, if the viewer may see it. */
  read(passage: number, search: PassageSearch): PassageHit | undefined {
    const { sql, values } = conditions(search);
    const row = this.#database
      .prepare(
        `${selectHits} FROM memory_passages AS passage
        JOIN memory_text ON memory_text.rowid = passage.number
        JOIN memory_assets AS asset ON asset.number = passage.asset
        WHERE passage.number = ? AND ${sql}`,
      )
      .get(passage, ...values);
    return row && hitOf(row);
  }

  /** Deletes the vectors of every other model, which this one cannot use. */
  keepVectorsOf(model: string): void {
    this.#statements.forgetOthers.run(model);
  }

  hasVectorsOf(model: string): boolean {
    return this.#statements.hasVectors.get(model) !== undefined;
  }

  /** Deletes the vectors of a model whose size differs from this one's. */
  keepVectorsOfSize(model: string, vector: Float32Array): void {
    this.#statements.forgetSizes.run(model, vector.byteLength);
  }

  /** Live passages without a vector, oldest first. */
  unembedded(limit: number): UnembeddedPassage[] {
    return this.#statements.unembedded
      .all(limit)
      .map(({ passage, text }) => ({ passage: Number(passage), text: String(text) }));
  }

  /** Stores the vector of a text, unless the passage has another text by now. */
  setVector(
    { passage, text }: UnembeddedPassage,
    { model, vector }: { model: string; vector: Float32Array },
  ): void {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    this.#statements.setVector.run(model, bytes, passage, passage, text);
  }
}

const selectHits =
  'SELECT asset.*, memory_text.text AS passage_text, passage.number AS passage, passage.ordinal AS ordinal';

/** The condition for what a search may find: visible to the viewer, live, not expired, within its retention. */
export function conditions({ viewer, kinds, nowMs, retainedSinceMs }: Omit<PassageSearch, 'limit'>): {
  sql: string;
  values: SQLInputValue[];
} {
  const visible = visibleTo(viewer);
  return {
    sql: `${visible.sql} AND asset.kind IN (${kinds.map(() => '?').join(', ')}) AND asset.is_live = 1
      AND (asset.expires_at_ms IS NULL OR asset.expires_at_ms > ?)
      AND (asset.is_retained = 0 OR asset.updated_at_ms > ?)`,
    values: [...visible.values, ...kinds, nowMs, retainedSinceMs],
  };
}

function hitOf(row: Row): PassageHit {
  return {
    passage: Number(row['passage']),
    ordinal: Number(row['ordinal']),
    text: String(row['passage_text']),
    asset: assetOf(row),
  };
}

/** Copies, because the bytes of a row may not be aligned for floats. */
function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    insert: sql('INSERT INTO memory_passages (asset, ordinal, project_id) VALUES (?, ?, ?)'),
    insertText: sql('INSERT INTO memory_text (rowid, tenant, text) VALUES (?, ?, ?)'),
    removeTexts: sql(
      'DELETE FROM memory_text WHERE rowid IN (SELECT number FROM memory_passages WHERE asset = ?)',
    ),
    rename: sql(`UPDATE memory_text SET text = ? WHERE rowid =
      (SELECT number FROM memory_passages WHERE asset = ? AND ordinal = 0)`),
    forgetVector: sql(
      'UPDATE memory_passages SET model = NULL, vector = NULL WHERE asset = ? AND ordinal = 0',
    ),
    forgetOthers: sql(
      'UPDATE memory_passages SET model = NULL, vector = NULL WHERE model IS NOT NULL AND model <> ?',
    ),
    remove: sql('DELETE FROM memory_passages WHERE asset = ?'),
    first: sql(`SELECT passage.number AS passage, memory_text.text AS text FROM memory_passages AS passage
      JOIN memory_text ON memory_text.rowid = passage.number WHERE passage.asset = ? AND passage.ordinal = 0`),
    unembedded:
      sql(`SELECT passage.number AS passage, memory_text.text AS text FROM memory_passages AS passage
      JOIN memory_text ON memory_text.rowid = passage.number
      JOIN memory_assets AS asset ON asset.number = passage.asset
      WHERE asset.is_live = 1 AND passage.model IS NULL ORDER BY passage.number LIMIT ?`),
    hasVectors: sql('SELECT 1 FROM memory_passages WHERE model = ? AND length(vector) > 0 LIMIT 1'),
    forgetSizes: sql(
      'UPDATE memory_passages SET model = NULL, vector = NULL WHERE model = ? AND length(vector) NOT IN (0, ?)',
    ),
    setVector: sql(`UPDATE memory_passages SET model = ?, vector = ? WHERE number = ?
      AND EXISTS (SELECT 1 FROM memory_text WHERE rowid = ? AND text = ?)`),
  };
}
