import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** What a purge takes away. */
export interface PurgeTarget {
  readonly projectId: string;
  /** Only what this run stored. */
  readonly sessionId?: string | undefined;
}

/** So much is removed at once at most, but one record at least. */
const perStep = { records: 200, passages: 1000 } as const;

const given = 'SELECT value FROM json_each(?)';
const removals = [
  `DELETE FROM memory_text WHERE rowid IN (SELECT number FROM memory_passages WHERE asset IN (${given}))`,
  `DELETE FROM memory_passages WHERE asset IN (${given})`,
  `DELETE FROM memory_edges WHERE asset IN (${given})`,
  `DELETE FROM memory_assets WHERE number IN (${given})`,
];

/**
 * Removes records with all that hangs on them, some with each call; other work has its turn between two. It says how
 * many they were: none when there is nothing left. Called inside a transaction.
 */
export class MemoryCleaner {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  purge({ projectId, sessionId }: PurgeTarget): number {
    if (sessionId === undefined) return this.#remove('project_id = ?', projectId);
    return this.#remove('project_id = ? AND session_id = ?', projectId, sessionId);
  }

  /** What has expired. */
  expire(nowMs: number): number {
    return this.#remove('expires_at_ms <= ?', nowMs);
  }

  /** What an organization's runs remembered before this time. */
  retain(organization: string, sinceMs: number): number {
    return this.#remove('organization = ? AND is_retained = 1 AND updated_at_ms <= ?', organization, sinceMs);
  }

  /** An organization's edges of before this time, at once. */
  retainEdges(organization: string, sinceMs: number): void {
    const assets = 'SELECT number FROM memory_assets WHERE organization = ?';
    this.#database
      .prepare(`DELETE FROM memory_edges WHERE created_at_ms <= ? AND asset IN (${assets})`)
      .run(sinceMs, organization);
  }

  #remove(condition: string, ...values: SQLInputValue[]): number {
    const passages =
      'SELECT count(*) FROM memory_passages AS passage WHERE passage.asset = memory_assets.number';
    const found = this.#database
      .prepare(`SELECT number, (${passages}) AS passages FROM memory_assets WHERE ${condition} LIMIT ?`)
      .all(...values, perStep.records);
    const numbers: number[] = [];
    let passagesLeft = perStep.passages;
    for (const { number, passages: count } of found) {
      passagesLeft -= Number(count);
      if (numbers.length > 0 && passagesLeft < 0) break;
      numbers.push(Number(number));
    }
    // The full-text index writes to its file after each statement, so there is one for all of them.
    for (const sql of removals) this.#database.prepare(sql).run(JSON.stringify(numbers));
    return numbers.length;
  }
}
