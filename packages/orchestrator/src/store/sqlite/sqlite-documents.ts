import type { DatabaseSync } from 'node:sqlite';
import type {
  DocumentPlace,
  DocumentQuery,
  DocumentWrite,
  StoredDocument,
} from '@svc/contracts/orchestrator';
import { documentOf } from './rows.js';

/** Documents and counters in SQLite. Every method is synchronous; writes must run inside a transaction. */
export class SqliteDocuments {
  readonly #statements;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database);
  }

  put(write: DocumentWrite): StoredDocument | undefined {
    const { projectId, collection, id, value, nowMs, expiresAtMs = null, ifVersion } = write;
    // Not `read`: a malformed document can be replaced.
    const earlier = this.#statements.read.get(projectId, collection, id, nowMs);
    if (ifVersion !== undefined && ifVersion !== Number(earlier?.['version'] ?? 0)) return undefined;
    const text = JSON.stringify(value);
    if (earlier) {
      this.#statements.update.run(text, nowMs, expiresAtMs, projectId, collection, id);
    } else {
      // An expired document may still exist; the new one must come last in the order.
      this.#statements.delete.run(projectId, collection, id);
      this.#statements.insert.run(projectId, collection, id, text, nowMs, nowMs, expiresAtMs);
    }
    return this.read(write, nowMs);
  }

  read({ projectId, collection, id }: DocumentPlace, nowMs: number): StoredDocument | undefined {
    const row = this.#statements.read.get(projectId, collection, id, nowMs);
    return row && documentOf(row);
  }

  list({ projectId, collection, nowMs, limit, newestFirst }: DocumentQuery): StoredDocument[] {
    const statement = newestFirst ? this.#statements.newest : this.#statements.oldest;
    return statement.all(projectId, collection, nowMs, limit).map(documentOf);
  }

  delete({ projectId, collection, id }: DocumentPlace): boolean {
    return Number(this.#statements.delete.run(projectId, collection, id).changes) > 0;
  }

  increment(
    name: string,
    by: number,
    { nowMs, expiresAtMs }: { nowMs: number; expiresAtMs: number },
  ): number {
    const row = this.#statements.increment.get({ name, by, expiresAtMs, nowMs });
    return Number(row?.['value']);
  }

  /**
   * Removes all expired counters, of which there are few, and some expired documents. Returns the number of documents.
   */
  sweep(nowMs: number, limit: number): number {
    this.#statements.expireCounters.run(nowMs);
    return Number(this.#statements.expireDocuments.run(nowMs, limit).changes);
  }
}

const live = '(expires_at_ms IS NULL OR expires_at_ms > ?)';

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const list = (order: string) =>
    sql(
      `SELECT * FROM documents WHERE project_id = ? AND collection = ? AND ${live} ORDER BY number ${order} LIMIT ?`,
    );
  return {
    insert:
      sql(`INSERT INTO documents (project_id, collection, id, value, version, created_at_ms, updated_at_ms,
      expires_at_ms) VALUES (?, ?, ?, ?, 1, ?, ?, ?)`),
    update: sql(`UPDATE documents SET value = ?, version = version + 1, updated_at_ms = ?, expires_at_ms = ?
      WHERE project_id = ? AND collection = ? AND id = ?`),
    read: sql(`SELECT * FROM documents WHERE project_id = ? AND collection = ? AND id = ? AND ${live}`),
    oldest: list('ASC'),
    newest: list('DESC'),
    delete: sql('DELETE FROM documents WHERE project_id = ? AND collection = ? AND id = ?'),
    increment: sql(`INSERT INTO counters (name, value, expires_at_ms) VALUES ($name, $by, $expiresAtMs)
      ON CONFLICT (name) DO UPDATE SET
        value = iif(expires_at_ms > $nowMs, value + $by, $by),
        expires_at_ms = iif(expires_at_ms > $nowMs, expires_at_ms, $expiresAtMs)
      RETURNING value`),
    expireDocuments: sql(
      'DELETE FROM documents WHERE number IN (SELECT number FROM documents WHERE expires_at_ms <= ? LIMIT ?)',
    ),
    expireCounters: sql('DELETE FROM counters WHERE expires_at_ms <= ?'),
  };
}
