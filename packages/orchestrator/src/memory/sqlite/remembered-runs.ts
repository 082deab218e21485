import type { DatabaseSync } from 'node:sqlite';

/** The runs that have been remembered, so that a crash before their end does not count them twice. */
export class RememberedRuns {
  readonly #statements;

  constructor(database: DatabaseSync) {
    const sql = (text: string) => database.prepare(text);
    this.#statements = {
      add: sql('INSERT OR IGNORE INTO memory_runs (session_id, project_id, at_ms) VALUES (?, ?, ?)'),
      sweep: sql('DELETE FROM memory_runs WHERE at_ms <= ?'),
    };
  }

  /** Whether this is the first time. */
  add(sessionId: string, projectId: string, nowMs: number): boolean {
    return Number(this.#statements.add.run(sessionId, projectId, nowMs).changes) > 0;
  }

  sweep(beforeMs: number): void {
    this.#statements.sweep.run(beforeMs);
  }
}
