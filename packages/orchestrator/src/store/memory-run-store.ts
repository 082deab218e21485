import type {
  AppendOutcome,
  DocumentPlace,
  DocumentQuery,
  DocumentWrite,
  JournalAppend,
  JournalRecord,
  NewRun,
  RunClaim,
  RunQuery,
  RunRecord,
  RunStore,
  RunSummary,
  StoredDocument,
} from '@svc/contracts/orchestrator';
import { ChangeSignal } from './change-signal.js';
import { runExists, tooManyRuns, storeClosed } from './errors.js';
import { followJournal } from './follow-journal.js';
import { MemoryBound } from './memory-bound.js';
import { MemoryDocuments } from './memory-documents.js';
import { MemoryJournal } from './memory-journal.js';
import { compareRuns, isClaimable, matchesRunQuery, summarize } from './run-query.js';
import { findTakenKey } from './taken-key.js';

interface HeldRun {
  record: RunRecord;
  readonly journal: MemoryJournal;
  readonly changes: ChangeSignal;
}

/**
 * A run store that forgets with its process. The default; good for development, tests and runs that may be lost. It keeps
 * about 64 MiB of ended runs, and as much of documents that expire; beyond that it forgets the oldest after a minute.
 */
export class MemoryRunStore implements RunStore, AsyncDisposable {
  readonly scope = 'memory';
  readonly #runs = new Map<string, HeldRun>();
  readonly #openByProject = new Map<string, number>();
  readonly #open = new Map<string, HeldRun>();
  readonly #ended = new MemoryBound();
  readonly #documents = new MemoryDocuments();
  readonly #counters = new Map<string, { value: number; expiresAtMs: number }>();
  #closed = false;

  async createRun(run: NewRun): Promise<RunRecord> {
    this.#refuseClosed();
    if (this.#runs.has(run.sessionId)) throw runExists(run.sessionId);
    const { nowMs, leaseMs, maxOpenRuns = Infinity, ...rest } = run;
    if ((this.#openByProject.get(run.projectId) ?? 0) >= maxOpenRuns)
      throw tooManyRuns(run.projectId, maxOpenRuns);
    const record: RunRecord = {
      ...rest,
      status: 'pending',
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      leaseUntilMs: nowMs + leaseMs,
      epoch: 1,
      lastSeq: 0,
    };
    const held = { record, journal: new MemoryJournal(), changes: new ChangeSignal() };
    this.#runs.set(run.sessionId, held);
    this.#open.set(run.sessionId, held);
    this.#countOpen(run.projectId, 1);
    return record;
  }

  async readRun(sessionId: string): Promise<RunRecord | undefined> {
    this.#refuseClosed();
    return this.#runs.get(sessionId)?.record;
  }

  async listRuns(query: RunQuery): Promise<RunSummary[]> {
    this.#refuseClosed();
    const source = query.ended === false || query.claimableBy ? this.#open : this.#runs;
    const found = [...source.values()]
      .map(({ record }) => record)
      .filter((run) => matchesRunQuery(run, query));
    return found.sort(compareRuns).slice(0, query.limit).map(summarize);
  }

  async claimRun(sessionId: string, claim: RunClaim): Promise<RunRecord | undefined> {
    this.#refuseClosed();
    const held = this.#runs.get(sessionId);
    if (!held || !isClaimable(held.record, claim)) return undefined;
    const { owner, nowMs, leaseMs } = claim;
    held.record = { ...held.record, owner, leaseUntilMs: nowMs + leaseMs, epoch: held.record.epoch + 1 };
    return held.record;
  }

  async renewLeases({ owner, nowMs, leaseMs }: RunClaim): Promise<void> {
    this.#refuseClosed();
    for (const held of this.#open.values()) {
      if (held.record.owner === owner) held.record = { ...held.record, leaseUntilMs: nowMs + leaseMs };
    }
  }

  async releaseRun(sessionId: string, epoch: number): Promise<void> {
    this.#refuseClosed();
    const held = this.#runs.get(sessionId);
    if (held?.record.epoch === epoch) held.record = { ...held.record, leaseUntilMs: 0 };
  }

  async append(sessionId: string, append: JournalAppend): Promise<AppendOutcome> {
    this.#refuseClosed();
    const held = this.#runs.get(sessionId);
    if (!held) return { outcome: 'missing' };
    const { record, journal } = held;
    if (append.epoch !== undefined && append.epoch !== record.epoch) return { outcome: 'stale' };
    if (append.knownSeq !== undefined && append.knownSeq > record.lastSeq) return { outcome: 'stale' };
    if (record.endedAtMs !== undefined) return { outcome: 'ended' };
    const key = findTakenKey(append.entries, (each) => journal.hasKey(each));
    if (key !== undefined) return { outcome: 'duplicate', key };
    journal.append(append.entries, append.nowMs);
    held.record = {
      ...record,
      status: append.status ?? record.status,
      updatedAtMs: append.nowMs,
      lastSeq: journal.lastSeq,
      ...(append.ends ? { endedAtMs: append.nowMs } : {}),
    };
    if (append.ends) {
      this.#forgetOpen(held.record);
      this.#ended.add(held, {
        value: [held.record, journal.records],
        nowMs: append.nowMs,
        drop: () => this.#runs.delete(sessionId),
      });
    }
    held.changes.notify();
    return { outcome: 'appended', lastSeq: journal.lastSeq };
  }

  async readJournal(sessionId: string, range: { afterSeq: number; limit: number }): Promise<JournalRecord[]> {
    this.#refuseClosed();
    return this.#runs.get(sessionId)?.journal.read(range.afterSeq, range.limit) ?? [];
  }

  follow(
    sessionId: string,
    from: { afterSeq: number; signal?: AbortSignal },
  ): AsyncIterable<JournalRecord[]> {
    return followJournal(from, {
      read: async (range) => (this.#closed ? [] : this.readJournal(sessionId, range)),
      changes: () => this.#runs.get(sessionId)?.changes,
      isOver: async (afterSeq) => {
        const record = this.#runs.get(sessionId)?.record;
        return this.#closed || !record || record.endedAtMs !== undefined || record.lastSeq < afterSeq;
      },
    });
  }

  async putDocument(write: DocumentWrite): Promise<StoredDocument | undefined> {
    this.#refuseClosed();
    return this.#documents.put(write);
  }

  async readDocument(place: DocumentPlace, nowMs: number): Promise<StoredDocument | undefined> {
    this.#refuseClosed();
    return this.#documents.read(place, nowMs);
  }

  async listDocuments(query: DocumentQuery): Promise<StoredDocument[]> {
    this.#refuseClosed();
    return this.#documents.list(query);
  }

  async deleteDocument(place: DocumentPlace): Promise<boolean> {
    this.#refuseClosed();
    return this.#documents.delete(place);
  }

  async increment(
    counter: string,
    by: number,
    time: { nowMs: number; expiresAtMs: number },
  ): Promise<number> {
    this.#refuseClosed();
    const held = this.#counters.get(counter);
    const current =
      held && held.expiresAtMs > time.nowMs ? held : { value: 0, expiresAtMs: time.expiresAtMs };
    current.value += by;
    this.#counters.set(counter, current);
    return current.value;
  }

  async sweep({ endedBeforeMs, nowMs }: { endedBeforeMs: number; nowMs: number }): Promise<number> {
    this.#refuseClosed();
    let removed = 0;
    for (const [sessionId, held] of this.#runs) {
      const { record } = held;
      if (record.endedAtMs === undefined || record.endedAtMs >= endedBeforeMs) continue;
      this.#runs.delete(sessionId);
      this.#ended.delete(held);
      removed += 1;
    }
    this.#documents.sweep(nowMs);
    for (const [name, counter] of this.#counters)
      if (counter.expiresAtMs <= nowMs) this.#counters.delete(name);
    return removed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { changes } of this.#runs.values()) changes.notify();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #forgetOpen({ sessionId, projectId }: RunRecord): void {
    this.#open.delete(sessionId);
    this.#countOpen(projectId, -1);
  }

  #countOpen(projectId: string, by: number): void {
    const count = (this.#openByProject.get(projectId) ?? 0) + by;
    if (count === 0) this.#openByProject.delete(projectId);
    else this.#openByProject.set(projectId, count);
  }

  #refuseClosed(): void {
    if (this.#closed) throw storeClosed();
  }
}
