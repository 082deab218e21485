import type { DatabaseSync } from 'node:sqlite';
import type {
  AppendOutcome,
  JournalAppend,
  JournalRecord,
  NewRun,
  RunClaim,
  RunQuery,
  RunRecord,
  RunSummary,
} from '@svc/contracts/orchestrator';
import { runExists, tooManyRuns } from '../errors.js';
import { isClaimable } from '../run-query.js';
import { findTakenKey } from '../taken-key.js';
import { listStatement } from './list-statement.js';
import { recordOf, runOf, summaryOf } from './rows.js';

/** Runs and their journals in SQLite. Every method is synchronous; writes must run inside a transaction. */
export class SqliteRuns {
  readonly #database: DatabaseSync;
  readonly #statements;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  create(run: NewRun): RunRecord {
    if (this.#statements.exists.get(run.sessionId)) throw runExists(run.sessionId);
    const { sessionId, projectId, keyId, threadId, labels, request, owner, nowMs, leaseMs, maxOpenRuns } =
      run;
    if (
      maxOpenRuns !== undefined &&
      Number(this.#statements.countOpen.get(projectId)?.['count']) >= maxOpenRuns
    )
      throw tooManyRuns(projectId, maxOpenRuns);
    this.#statements.insert.run(
      sessionId,
      projectId,
      keyId,
      threadId ?? null,
      JSON.stringify(labels),
      nowMs,
      nowMs,
      owner,
      nowMs + leaseMs,
    );
    this.#statements.keepRequest.run(sessionId, JSON.stringify(request));
    return this.#known(sessionId);
  }

  read(sessionId: string): RunRecord | undefined {
    const row = this.#statements.read.get(sessionId);
    return row && runOf(row);
  }

  /** Whether no record can follow a number: the run has ended, is gone, or has fewer records than that. */
  isOver(sessionId: string, afterSeq: number): boolean {
    const row = this.#statements.head.get(sessionId);
    return !row || row['ended_at_ms'] !== null || Number(row['last_seq']) < afterSeq;
  }

  list(query: RunQuery): RunSummary[] {
    const { sql, values } = listStatement(query);
    return this.#database
      .prepare(sql)
      .all(...values)
      .map(summaryOf);
  }

  claim(sessionId: string, claim: RunClaim): RunRecord | undefined {
    const run = this.read(sessionId);
    if (!run || !isClaimable(run, claim)) return undefined;
    this.#statements.claim.run(claim.owner, claim.nowMs + claim.leaseMs, sessionId);
    return this.#known(sessionId);
  }

  renew({ owner, nowMs, leaseMs }: RunClaim): void {
    this.#statements.renew.run(nowMs + leaseMs, owner);
  }

  release(sessionId: string, epoch: number): void {
    this.#statements.release.run(sessionId, epoch);
  }

  append(sessionId: string, { entries, nowMs, epoch, knownSeq, status, ends }: JournalAppend): AppendOutcome {
    const run = this.#statements.head.get(sessionId);
    if (!run) return { outcome: 'missing' };
    if (epoch !== undefined && epoch !== run['epoch']) return { outcome: 'stale' };
    if (knownSeq !== undefined && knownSeq > Number(run['last_seq'])) return { outcome: 'stale' };
    if (run['ended_at_ms'] !== null) return { outcome: 'ended' };
    const { hasKey } = this.#statements;
    const key = findTakenKey(entries, (each) => hasKey.get(sessionId, each) !== undefined);
    if (key !== undefined) return { outcome: 'duplicate', key };
    let seq = Number(run['last_seq']);
    for (const entry of entries) {
      seq += 1;
      if (entry.slot !== undefined) this.#statements.clearSlot.run(sessionId, entry.slot);
      const data = JSON.stringify(entry.data);
      const { kind, key: entryKey = null, slot = null } = entry;
      this.#statements.write.run(sessionId, seq, kind, data, entryKey, slot, nowMs);
    }
    this.#statements.advance.run(seq, nowMs, status ?? null, sessionId);
    if (ends) this.#statements.end.run(nowMs, sessionId);
    return { outcome: 'appended', lastSeq: seq };
  }

  readJournal(sessionId: string, { afterSeq, limit }: { afterSeq: number; limit: number }): JournalRecord[] {
    const rows = this.#statements.journal.all(sessionId, afterSeq, limit);
    return rows.map((row) => recordOf(sessionId, row));
  }

  /** Removes some ended runs, fewer when their journals are long. Returns their ids. */
  sweep(endedBeforeMs: number, limits: { runs: number; records: number }): string[] {
    const ids: string[] = [];
    let records = 0;
    for (const row of this.#statements.ended.all(endedBeforeMs, limits.runs)) {
      records += Number(row['last_seq']);
      if (ids.length > 0 && records > limits.records) break;
      ids.push(String(row['session_id']));
    }
    for (const id of ids) {
      this.#statements.dropJournal.run(id);
      this.#statements.dropRequest.run(id);
      this.#statements.drop.run(id);
    }
    return ids;
  }

  #known(sessionId: string): RunRecord {
    const run = this.read(sessionId);
    if (!run) throw new Error(`The run ${sessionId} is missing right after it was written.`);
    return run;
  }
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    exists: sql('SELECT ended_at_ms FROM runs WHERE session_id = ?'),
    insert:
      sql(`INSERT INTO runs (session_id, project_id, key_id, thread_id, status, labels, created_at_ms, updated_at_ms,
      owner, lease_until_ms, epoch, last_seq) VALUES (?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, 1, 0)`),
    keepRequest: sql('INSERT INTO requests (session_id, request) VALUES (?, ?)'),
    read: sql('SELECT * FROM runs JOIN requests USING (session_id) WHERE session_id = ?'),
    head: sql('SELECT epoch, ended_at_ms, last_seq FROM runs WHERE session_id = ?'),
    countOpen: sql('SELECT count(*) AS count FROM runs WHERE project_id = ? AND ended_at_ms IS NULL'),
    claim: sql('UPDATE runs SET owner = ?, lease_until_ms = ?, epoch = epoch + 1 WHERE session_id = ?'),
    renew: sql('UPDATE runs SET lease_until_ms = ? WHERE owner = ? AND ended_at_ms IS NULL'),
    release: sql('UPDATE runs SET lease_until_ms = 0 WHERE session_id = ? AND epoch = ?'),
    hasKey: sql('SELECT 1 FROM journal WHERE session_id = ? AND key = ?'),
    clearSlot: sql('DELETE FROM journal WHERE session_id = ? AND slot = ?'),
    write: sql(
      'INSERT INTO journal (session_id, seq, kind, data, key, slot, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    advance: sql(
      'UPDATE runs SET last_seq = ?, updated_at_ms = ?, status = coalesce(?, status) WHERE session_id = ?',
    ),
    end: sql('UPDATE runs SET ended_at_ms = ? WHERE session_id = ?'),
    journal: sql('SELECT * FROM journal WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?'),
    ended: sql('SELECT session_id, last_seq FROM runs WHERE ended_at_ms < ? LIMIT ?'),
    dropJournal: sql('DELETE FROM journal WHERE session_id = ?'),
    dropRequest: sql('DELETE FROM requests WHERE session_id = ?'),
    drop: sql('DELETE FROM runs WHERE session_id = ?'),
  };
}
