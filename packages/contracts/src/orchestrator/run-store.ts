import type { AppendOutcome, JournalAppend, JournalRecord } from './journal.js';
import type { NewRun, RunQuery, RunRecord, RunSummary } from './run-record.js';
import type { DocumentPlace, DocumentQuery, DocumentWrite, StoredDocument } from './stored-document.js';

/**
 * Where an orchestrator keeps its runs. Each method is atomic, and what it wrote is durable when its promise resolves
 * (as durable as the store is: `memory` forgets with its process). Every implementation passes one exported suite.
 */
export interface RunStore {
  /**
   * `memory`: lost with its process. `process`: one orchestrator at a time works on the store and takes over everything
   * at once. `cluster`: many do, by leases.
   */
  readonly scope: 'memory' | 'process' | 'cluster';

  /** Creates a run, owned by its creator with epoch 1. Rejects with code `RUN_EXISTS` when the id is taken. */
  createRun(run: NewRun): Promise<RunRecord>;
  /** Rejects with code `RUN_UNREADABLE` when what is stored of the run is malformed; so do `claimRun`, `readJournal` and `follow`. */
  readRun(sessionId: string): Promise<RunRecord | undefined>;
  /** A run that cannot be read keeps no other from the list: it is in it as `failed`, with the labels `{}`. */
  listRuns(query: RunQuery): Promise<RunSummary[]>;
  /** How many runs of a project have not ended. */
  countOpenRuns(projectId: string): Promise<number>;
  /**
   * Makes the owner the one who works on the run, with a new epoch. Resolves to nothing when the run is missing, has
   * ended, or is leased to another owner.
   */
  claimRun(sessionId: string, claim: RunClaim): Promise<RunRecord | undefined>;
  /**
   * Prolongs the leases of all unfinished runs of the owner. A store of scope `process` refuses it, as it refuses to create
   * and claim runs, with code `STORE_IN_USE` while another process works on it.
   */
  renewLeases(claim: RunClaim): Promise<void>;
  /** Lets another owner take the run at once. A stale epoch changes nothing. */
  releaseRun(sessionId: string, epoch: number): Promise<void>;

  /** Writes to the run's journal; see {@link AppendOutcome}. */
  append(sessionId: string, append: JournalAppend): Promise<AppendOutcome>;
  /** The records after a number, in order, at most `limit`. */
  readJournal(sessionId: string, range: { afterSeq: number; limit: number }): Promise<JournalRecord[]>;
  /**
   * The records after a number as they come, in non-empty batches. Ends when the run has ended and all is read, when the
   * run is not there (any more) or the store has lost what comes before that number, when the signal aborts, and when the
   * store is closed.
   */
  follow(sessionId: string, from: { afterSeq: number; signal?: AbortSignal }): AsyncIterable<JournalRecord[]>;

  /** Resolves to nothing when `ifVersion` is not the version there is. */
  putDocument(write: DocumentWrite): Promise<StoredDocument | undefined>;
  readDocument(place: DocumentPlace, nowMs: number): Promise<StoredDocument | undefined>;
  listDocuments(query: DocumentQuery): Promise<StoredDocument[]>;
  /** Whether there was one. */
  deleteDocument(place: DocumentPlace): Promise<boolean>;

  /** Adds to a counter and resolves to its new value; it starts again from 0 after its expiry, which its first use sets. */
  increment(counter: string, by: number, time: { nowMs: number; expiresAtMs: number }): Promise<number>;

  /** Removes ended runs and whatever has expired; resolves to how many runs went. */
  sweep(before: { endedBeforeMs: number; nowMs: number }): Promise<number>;
  /** Ends all follows and frees what the store holds; all else is refused from then on, with code `STORE_CLOSED`. Closing twice is fine. */
  close(): Promise<void>;
}

/** Who wants to work on a run, and for how long without renewal. */
export interface RunClaim {
  readonly owner: string;
  readonly nowMs: number;
  readonly leaseMs: number;
}
