import type { DatabaseSync } from 'node:sqlite';
import type { MemoryAsset } from '../records/memory-asset.js';
import { assetOf } from './asset-rows.js';
import { conditions, type PassageSearch } from './passage-table.js';

/** The graph of records: edges to tools and threads, by which related records are found. */
export class EdgeTable {
  readonly #database: DatabaseSync;
  readonly #statements;

  constructor(database: DatabaseSync) {
    this.#database = database;
    const sql = (text: string) => database.prepare(text);
    this.#statements = {
      add: sql(`INSERT INTO memory_edges (asset, entity, created_at_ms) VALUES (?, ?, ?)
        ON CONFLICT (asset, entity) DO UPDATE SET created_at_ms = excluded.created_at_ms`),
      of: sql('SELECT entity FROM memory_edges WHERE asset = ? ORDER BY entity'),
    };
  }

  add(asset: number, entities: readonly string[], nowMs: number): void {
    for (const entity of entities) this.#statements.add.run(asset, entity, nowMs);
  }

  of(asset: number): string[] {
    return this.#statements.of.all(asset).map(({ entity }) => String(entity));
  }

  /** Visible records with an edge to one of these nodes, newest first. Edges older than `edgesSinceMs` are ignored. */
  related(
    entities: readonly string[],
    search: PassageSearch & { readonly edgesSinceMs: number },
  ): MemoryAsset[] {
    if (entities.length === 0) return [];
    const { sql, values } = conditions(search);
    return this.#database
      .prepare(
        // CROSS JOIN starts at the edges; the inner query sorts only numbers, as a topic may have very many records.
        `SELECT * FROM memory_assets WHERE number IN (
          SELECT DISTINCT asset.number
          FROM memory_edges AS edge CROSS JOIN memory_assets AS asset ON asset.number = edge.asset
          WHERE edge.entity IN (${entities.map(() => '?').join(', ')}) AND edge.created_at_ms > ? AND ${sql}
          ORDER BY asset.updated_at_ms DESC, asset.number DESC LIMIT ?)
        ORDER BY updated_at_ms DESC, number DESC`,
      )
      .all(...entities, search.edgesSinceMs, ...values, search.limit)
      .map(assetOf);
  }
}
