import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** What a purge takes away. */
export interface PurgeTarget {
  readonly projectId: string;
  /** Only what this run stored. */
  readonly sessionId?: string;
}

const tables = ['memory_assets', 'memory_passages', 'memory_text', 'memory_edges', 'memory_blobs'] as const;

/** Removes records with all that hangs on them. Called inside a transaction. */
export class MemoryCleaner {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The tables a purge has emptied of the project or the run. */
  purge({ projectId, sessionId }: PurgeTarget): readonly string[] {
    if (sessionId === undefined) {
      this.#remove('project_id = ?', projectId);
      this.#database.prepare('DELETE FROM memory_blobs WHERE project_id = ?').run(projectId);
    } else this.#remove('project_id = ? AND session_id = ?', projectId, sessionId);
    return tables;
  }

  /** What has expired. */
  expire(nowMs: number): void {
    this.#remove('expires_at_ms <= ?', nowMs);
  }

  /** What an organization's runs remembered before this time. */
  retain(organization: string, sinceMs: number): void {
    this.#remove('organization = ? AND is_retained = 1 AND updated_at_ms <= ?', organization, sinceMs);
  }

  /** An organization's edges of before this time. */
  retainEdges(organization: string, sinceMs: number): void {
    const assets = 'SELECT number FROM memory_assets WHERE organization = ?';
    this.#database
      .prepare(`DELETE FROM memory_edges WHERE created_at_ms <= ? AND asset IN (${assets})`)
      .run(sinceMs, organization);
  }

  #remove(condition: string, ...values: SQLInputValue[]): void {
    const assets = `SELECT number FROM memory_assets WHERE ${condition}`;
    const passages = `SELECT number FROM memory_passages WHERE asset IN (${assets})`;
    for (const sql of [
      `DELETE FROM memory_text WHERE rowid IN (${passages})`,
      `DELETE FROM memory_passages WHERE asset IN (${assets})`,
      `DELETE FROM memory_edges WHERE asset IN (${assets})`,
      `DELETE FROM memory_assets WHERE ${condition}`,
    ])
      this.#database.prepare(sql).run(...values);
  }
}
