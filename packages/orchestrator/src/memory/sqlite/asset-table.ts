import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { everyWordQuery, tenantTerm } from './full-text-query.js';
import type { MemoryAsset, MemoryAssetChange, MemoryKind, NewMemoryAsset } from '../records/memory-asset.js';
import type { MemoryOwner } from '../records/memory-viewer.js';
import { assetOf } from './asset-rows.js';
import { PassageTable } from './passage-table.js';

/** Which records of a project a list contains, newest first. */
export interface AssetQuery {
  readonly projectId: string;
  readonly kind: MemoryKind;
  /** Words that must all occur. */
  readonly search?: string | undefined;
  readonly reach?: string | undefined;
  /** Fields of the record, each with the value it must have, if given. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** Tags that a resource must all have. */
  readonly tags?: readonly string[] | undefined;
  readonly nowMs: number;
  readonly limit: number;
  readonly offset: number;
}

/** The records of memory. Every method is synchronous; writes must run inside a transaction. */
export class AssetTable {
  readonly #database: DatabaseSync;
  readonly #statements;
  readonly passages: PassageTable;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = prepare(database);
    this.passages = new PassageTable(database);
  }

  insert(asset: NewMemoryAsset): MemoryAsset {
    const { lastInsertRowid } = this.#statements.insert.run(
      asset.kind,
      asset.projectId,
      asset.organization,
      asset.id,
      asset.reach,
      asset.ownerId,
      asset.lineage,
      asset.contentHash,
      asset.isLive ? 1 : 0,
      asset.isRetained ? 1 : 0,
      asset.sessionId ?? null,
      JSON.stringify(asset.value),
      asset.sizeBytes,
      asset.nowMs,
      asset.nowMs,
      asset.expiresAtMs ?? null,
    );
    const stored = this.#known(Number(lastInsertRowid));
    this.passages.replace(stored, asset.passages);
    return stored;
  }

  update(asset: MemoryAsset, change: MemoryAssetChange): MemoryAsset {
    this.#statements.update.run(
      change.reach,
      change.ownerId,
      change.lineage ?? asset.lineage,
      change.contentHash,
      change.isLive ? 1 : 0,
      JSON.stringify(change.value),
      change.nowMs,
      change.expiresAtMs ?? null,
      asset.number,
    );
    if (change.passages) this.passages.replace(asset, change.passages);
    return this.#known(asset.number);
  }

  /** Updates a record's own statistics, such as how often it was found, without counting as a change. */
  touch(asset: MemoryAsset, value: MemoryAsset['value']): void {
    this.#statements.touch.run(JSON.stringify(value), asset.number);
  }

  remove(asset: MemoryAsset): void {
    this.passages.remove(asset.number);
    this.#statements.removeEdges.run(asset.number);
    this.#statements.remove.run(asset.number);
  }

  read(projectId: string, kind: MemoryKind, id: string, nowMs: number): MemoryAsset | undefined {
    const row = this.#statements.read.get(projectId, kind, id, nowMs);
    return row && assetOf(row);
  }

  /** The records with these numbers that still exist. */
  withNumbers(numbers: readonly number[]): MemoryAsset[] {
    return numbers.flatMap((number) => {
      const row = this.#statements.byNumber.get(number);
      return row ? [assetOf(row)] : [];
    });
  }

  /** The versions of one record of an owner, newest first. */
  lineage(
    projectId: string,
    kind: MemoryKind,
    { lineage, reach, ownerId }: MemoryOwner & { lineage: string },
  ): MemoryAsset[] {
    return this.#statements.lineage.all(projectId, kind, lineage, reach, ownerId).map(assetOf);
  }

  /** Records of one owner with the same content, newest first. */
  withHash(
    projectId: string,
    kind: MemoryKind,
    { hash, reach, ownerId }: MemoryOwner & { hash: string },
  ): MemoryAsset[] {
    return this.#statements.withHash.all(projectId, kind, hash, reach, ownerId).map(assetOf);
  }

  list({ projectId, kind, search, reach, fields, tags, nowMs, limit, offset }: AssetQuery): MemoryAsset[] {
    const query = search ? everyWordQuery(search) : undefined;
    if (search && query === undefined) return [];
    const match = `tenant : (${tenantTerm('project', projectId)}) AND text : (${query})`;
    const parts: [string, ...SQLInputValue[]][] = [
      ['project_id = ? AND kind = ?', projectId, kind],
      ['(expires_at_ms IS NULL OR expires_at_ms > ?)', nowMs],
      ...(reach ? [['reach = ?', reach] satisfies [string, string]] : []),
      ...Object.entries(fields).flatMap(([name, value]): [string, ...SQLInputValue[]][] =>
        value ? [[`value ->> ? = ?`, `$.${name}`, value]] : [],
      ),
      ...(tags ?? []).map((tag): [string, string] => [
        `EXISTS (SELECT 1 FROM json_each(memory_assets.value, '$.tags') AS tag WHERE tag.value = ?)`,
        tag,
      ]),
    ];
    if (query !== undefined) {
      const found = 'SELECT passage.asset FROM memory_text JOIN memory_passages AS passage';
      parts.push([
        `number IN (${found} ON passage.number = memory_text.rowid WHERE memory_text MATCH ?)`,
        match,
      ]);
    }
    const where = parts.map(([sql]) => sql).join(' AND ');
    return this.#database
      .prepare(`SELECT * FROM memory_assets WHERE ${where} ORDER BY number DESC LIMIT ? OFFSET ?`)
      .all(...parts.flatMap(([, ...values]) => values), limit, offset)
      .map(assetOf);
  }

  /** How many records a project has, and the bytes of their blobs. */
  usage(projectId: string): { records: number; bytes: number } {
    const row = this.#statements.usage.get(projectId);
    return { records: Number(row?.['records'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
  }

  /** Whether a project has a record of this kind and id, even an expired one. */
  has(projectId: string, kind: MemoryKind, id: string): boolean {
    return this.#statements.has.get(projectId, kind, id) !== undefined;
  }

  #known(number: number): MemoryAsset {
    const [asset] = this.withNumbers([number]);
    if (!asset) throw new Error(`The memory record ${number} is missing right after it was written.`);
    return asset;
  }
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const owned = 'reach = ? AND owner_id = ? ORDER BY number DESC';
  return {
    insert: sql(`INSERT INTO memory_assets (kind, project_id, organization, id, reach, owner_id, lineage,
      content_hash, is_live, is_retained, session_id, value, size_bytes, created_at_ms, updated_at_ms, expires_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    update: sql(`UPDATE memory_assets SET reach = ?, owner_id = ?, lineage = ?, content_hash = ?, is_live = ?,
      value = ?, updated_at_ms = ?, expires_at_ms = ? WHERE number = ?`),
    touch: sql('UPDATE memory_assets SET value = ? WHERE number = ?'),
    remove: sql('DELETE FROM memory_assets WHERE number = ?'),
    removeEdges: sql('DELETE FROM memory_edges WHERE asset = ?'),
    read: sql(`SELECT * FROM memory_assets WHERE project_id = ? AND kind = ? AND id = ?
      AND (expires_at_ms IS NULL OR expires_at_ms > ?)`),
    has: sql('SELECT 1 FROM memory_assets WHERE project_id = ? AND kind = ? AND id = ?'),
    byNumber: sql('SELECT * FROM memory_assets WHERE number = ?'),
    lineage: sql(
      `SELECT * FROM memory_assets WHERE project_id = ? AND kind = ? AND lineage = ? AND ${owned}`,
    ),
    withHash: sql(
      `SELECT * FROM memory_assets WHERE project_id = ? AND kind = ? AND content_hash = ? AND ${owned}`,
    ),
    usage: sql('SELECT records, bytes FROM memory_usage WHERE project_id = ?'),
  };
}
