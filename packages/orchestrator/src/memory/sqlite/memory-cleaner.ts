import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** What a purge removes. */
export interface PurgeTarget {
  readonly projectId: string;
  /** Only what this run stored. */
  readonly sessionId?: string | undefined;
}

/** Limits on what is removed at once, though always at least one record. */
const perStep = { records: 200, passages: 1000 } as const;

const listedNumbers = 'SELECT value FROM json_each(?)';
const removals = [
  `DELETE FROM memory_text WHERE rowid IN (SELECT number FROM memory_passages WHERE asset IN (${listedNumbers}))`,
  `DELETE FROM memory_passages WHERE asset IN (${listedNumbers})`,
  `DELETE FROM memory_edges WHERE asset IN (${listedNumbers})`,
  `DELETE FROM memory_assets WHERE number IN (${listedNumbers})`,
];

/**
 * Removes records with everything that belongs to them, a batch per call, so that other work gets its turn in between.
 * Returns how many were removed: 0 when nothing is left. Called inside a transaction.
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

  /** Removes what has expired. */
  expire(nowMs: number): number {
    return this.#remove('expires_at_ms <= ?', nowMs);
  }

  /** Removes what an organization's runs stored before this time. */
  retain(organization: string, sinceMs: number): number {
    return this.#remove('organization = ? AND is_retained = 1 AND updated_at_ms <= ?', organization, sinceMs);
  }

  /** Removes an organization's edges from before this time, all at once. */
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
    // The full-text index writes to its file after each statement, so one statement removes them all.
    for (const sql of removals) this.#database.prepare(sql).run(JSON.stringify(numbers));
    return numbers.length;
  }
}
