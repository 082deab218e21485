import type { DatabaseSync } from 'node:sqlite';

/**
 * The runs that have been remembered and what each stored, so that a crash before their end does not store it twice.
 */
export class RememberedRuns {
  readonly #statements;

  constructor(database: DatabaseSync) {
    const sql = (text: string) => database.prepare(text);
    this.#statements = {
      add: sql('INSERT INTO memory_runs (session_id, project_id, at_ms, assets) VALUES (?, ?, ?, ?)'),
      read: sql('SELECT assets FROM memory_runs WHERE session_id = ?'),
      sweep: sql('DELETE FROM memory_runs WHERE at_ms <= ?'),
    };
  }

  /** The numbers of the records that a run stored; undefined when it has not been remembered. */
  read(sessionId: string): readonly number[] | undefined {
    const row = this.#statements.read.get(sessionId);
    return row && JSON.parse(String(row['assets']));
  }

  /** `assets` are the numbers of the records that the run stored. */
  add({
    sessionId,
    projectId,
    assets,
    nowMs,
  }: {
    sessionId: string;
    projectId: string;
    assets: readonly number[];
    nowMs: number;
  }): void {
    this.#statements.add.run(sessionId, projectId, nowMs, JSON.stringify(assets));
  }

  sweep(beforeMs: number): void {
    this.#statements.sweep.run(beforeMs);
  }
}
