import type { AppendOutcome, JournalAppend, JournalRecord } from './journal.js';
import type { NewRun, RunQuery, RunRecord, RunSummary } from './run-record.js';
import type { DocumentPlace, DocumentQuery, DocumentWrite, StoredDocument } from './stored-document.js';

/**
 * The storage port of an orchestrator. Each method is atomic, and its writes are durable when its promise resolves (as
 * durable as the store is: `memory` is lost with its process). Every implementation must pass one exported test suite.
 */
export interface RunStore {
  /**
   * `memory`: lost with its process. `process`: one orchestrator at a time uses the store and takes over every run at
   * once. `cluster`: many orchestrators share the store by leases.
   */
  readonly scope: 'memory' | 'process' | 'cluster';

  /**
   * Creates a run, owned by its creator with epoch 1. Rejects with code `RUN_EXISTS` if the id is taken, and with
   * `TOO_MANY_RUNS` if the project already has `maxOpenRuns` unfinished runs.
   */
  createRun(run: NewRun): Promise<RunRecord>;
  /**
   * Reads a run. Rejects with `RUN_UNREADABLE` if its data is malformed, as do `claimRun`, `append`, `readJournal` and
   * `follow`.
   */
  readRun(sessionId: string): Promise<RunRecord | undefined>;
  /** Lists runs. A run that cannot be read is listed as `failed` with the labels `{}`. */
  listRuns(query: RunQuery): Promise<RunSummary[]>;
  /**
   * Makes the claimant the owner of the run, with a new epoch. Resolves to `undefined` if the run is missing, has ended,
   * or is leased to another owner.
   */
  claimRun(sessionId: string, claim: RunClaim): Promise<RunRecord | undefined>;
  /**
   * Extends the leases of all unfinished runs of the owner. While another process uses a store of scope `process`, this,
   * `createRun` and `claimRun` reject with code `STORE_IN_USE`.
   */
  renewLeases(claim: RunClaim): Promise<void>;
  /** Ends the lease, so that another owner can claim the run at once. Does nothing if the epoch is stale. */
  releaseRun(sessionId: string, epoch: number): Promise<void>;

  /** Appends to the run's journal; see {@link AppendOutcome}. */
  append(sessionId: string, append: JournalAppend): Promise<AppendOutcome>;
  /** Reads the records after `afterSeq` in order, at most `limit`. */
  readJournal(sessionId: string, range: { afterSeq: number; limit: number }): Promise<JournalRecord[]>;
  /**
   * Follows the records after `afterSeq` in non-empty batches. Ends when the run has ended and everything was read, when
   * the run is missing or removed, when the store has lost records before `afterSeq`, when the signal aborts, and when
   * the store is closed.
   */
  follow(
    sessionId: string,
    options: { afterSeq: number; signal?: AbortSignal },
  ): AsyncIterable<JournalRecord[]>;

  /** Writes a document. Resolves to `undefined` if `ifVersion` is not the current version. */
  putDocument(write: DocumentWrite): Promise<StoredDocument | undefined>;
  /** Reads a document that has not expired. Rejects with `DOCUMENT_UNREADABLE` if it is malformed, as does a list with it. */
  readDocument(place: DocumentPlace, nowMs: number): Promise<StoredDocument | undefined>;
  /** Lists documents that have not expired. */
  listDocuments(query: DocumentQuery): Promise<StoredDocument[]>;
  /** Deletes a document. Resolves to whether it existed. */
  deleteDocument(place: DocumentPlace): Promise<boolean>;

  /** Adds to a counter and resolves to its new value. The first use sets its expiry, after which it restarts from 0. */
  increment(counter: string, by: number, time: { nowMs: number; expiresAtMs: number }): Promise<number>;

  /** Removes ended runs and expired data. Resolves to the number of removed runs. */
  sweep(options: { endedBeforeMs: number; nowMs: number }): Promise<number>;
  /** Ends all follows and releases resources. Later calls reject with code `STORE_CLOSED`. Idempotent. */
  close(): Promise<void>;
}

/** Who claims a run, and for how long without renewal. */
export interface RunClaim {
  readonly owner: string;
  readonly nowMs: number;
  readonly leaseMs: number;
}
