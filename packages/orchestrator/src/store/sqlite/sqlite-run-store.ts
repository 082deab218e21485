import type { DatabaseSync } from 'node:sqlite';
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
import * as z from 'zod';
import { parseOptions } from '../../parse-options.js';
import { ChangeSignal } from '../change-signal.js';
import { storeClosed, storeFailed } from '../errors.js';
import { followJournal } from '../follow-journal.js';
import { isDatabaseError } from './database-error.js';
import { OwnerLock } from './owner-lock.js';
import { GroupCommit } from './group-commit.js';
import { openSqlite } from './open-sqlite.js';
import { migrate } from './schema.js';
import { SqliteDocuments } from './sqlite-documents.js';
import { SqliteRuns } from './sqlite-runs.js';

/** The options of `sqliteRunStore`. */
export interface SqliteRunStoreOptions {
  /** The file; created if it does not exist. `:memory:` keeps the runs only while the process lives. */
  path: string;
  /**
   * `full` survives a power failure. `normal` survives only a crash of the process; a power failure may lose the last
   * writes.
   * @default 'full'
   */
  synchronous?: 'full' | 'normal' | undefined;
}

const OptionsSchema = z.strictObject(
  {
    path: z.string("must be a string: the file of the runs, or ':memory:'"),
    synchronous: z.enum(['full', 'normal']).default('full'),
  } satisfies Record<keyof SqliteRunStoreOptions, z.ZodType>,
  { error: ({ code }) => (code === 'invalid_type' ? 'must be an object with a path' : undefined) },
);

/** Limits on what is removed at once, though always at least one run. */
const perSweepStep = { runs: 50, records: 2000, documents: 1000 } as const;

/**
 * Creates a run store in a SQLite file. One orchestrator at a time can use a file; other processes (such as `svc keys`)
 * may use it at the same time.
 *
 * @throws RangeError naming an unknown or invalid option
 * @throws RunStoreError `STORE_UNAVAILABLE` if the file cannot be opened, or this Node has no SQLite; `STORE_IN_USE` if
 *   it was written by an older release and another process is still using it
 */
export function sqliteRunStore(options: SqliteRunStoreOptions): RunStore & AsyncDisposable {
  const { path, synchronous } = parseOptions(OptionsSchema, options, 'sqliteRunStore');
  const lock = new OwnerLock(path);
  const database = openSqlite({ path, synchronous, migrate: (opened) => migrate(opened, lock) });
  return new SqliteRunStore(database, { path, lock });
}

class SqliteRunStore implements RunStore, AsyncDisposable {
  readonly scope = 'process';
  /** Memory is stored in the same file. */
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #runs: SqliteRuns;
  readonly #documents: SqliteDocuments;
  readonly #commits: GroupCommit;
  readonly #lock: OwnerLock;
  /** By session; present only while somebody follows. */
  readonly #changes = new Map<string, { signal: ChangeSignal; followers: number }>();
  #closed = false;

  constructor(database: DatabaseSync, { path, lock }: { path: string; lock: OwnerLock }) {
    this.path = path;
    this.#database = database;
    this.#lock = lock;
    this.#runs = new SqliteRuns(database);
    this.#documents = new SqliteDocuments(database);
    this.#commits = new GroupCommit(database);
  }

  async createRun(run: NewRun): Promise<RunRecord> {
    const runs = this.#open();
    this.#lock.take();
    return this.#commits.write(() => runs.create(run));
  }

  async readRun(sessionId: string): Promise<RunRecord | undefined> {
    return this.#read(() => this.#runs.read(sessionId));
  }

  async listRuns(query: RunQuery): Promise<RunSummary[]> {
    return this.#read(() => this.#runs.list(query));
  }

  async claimRun(sessionId: string, claim: RunClaim): Promise<RunRecord | undefined> {
    const runs = this.#open();
    this.#lock.take();
    return this.#commits.write(() => runs.claim(sessionId, claim));
  }

  async renewLeases(claim: RunClaim): Promise<void> {
    const runs = this.#open();
    this.#lock.take();
    return this.#commits.write(() => runs.renew(claim));
  }

  releaseRun(sessionId: string, epoch: number): Promise<void> {
    return this.#commits.write(() => this.#runs.release(sessionId, epoch));
  }

  async append(sessionId: string, append: JournalAppend): Promise<AppendOutcome> {
    const outcome = await this.#commits.write(() => this.#runs.append(sessionId, append));
    if (outcome.outcome === 'appended') this.#changes.get(sessionId)?.signal.notify();
    return outcome;
  }

  async readJournal(sessionId: string, range: { afterSeq: number; limit: number }): Promise<JournalRecord[]> {
    return this.#read(() => this.#runs.readJournal(sessionId, range));
  }

  async *follow(
    sessionId: string,
    from: { afterSeq: number; signal?: AbortSignal },
  ): AsyncGenerator<JournalRecord[], void> {
    const held = this.#changes.get(sessionId) ?? { signal: new ChangeSignal(), followers: 0 };
    this.#changes.set(sessionId, held);
    held.followers += 1;
    try {
      yield* followJournal(from, {
        read: async (range) => (this.#closed ? [] : this.readJournal(sessionId, range)),
        changes: () => held.signal,
        isOver: async (afterSeq) => this.#closed || this.#read(() => this.#runs.isOver(sessionId, afterSeq)),
      });
    } finally {
      held.followers -= 1;
      if (held.followers === 0) this.#changes.delete(sessionId);
    }
  }

  putDocument(write: DocumentWrite): Promise<StoredDocument | undefined> {
    return this.#commits.write(() => this.#documents.put(write));
  }

  async readDocument(place: DocumentPlace, nowMs: number): Promise<StoredDocument | undefined> {
    return this.#read(() => this.#documents.read(place, nowMs));
  }

  async listDocuments(query: DocumentQuery): Promise<StoredDocument[]> {
    return this.#read(() => this.#documents.list(query));
  }

  deleteDocument(place: DocumentPlace): Promise<boolean> {
    return this.#commits.write(() => this.#documents.delete(place));
  }

  increment(counter: string, by: number, time: { nowMs: number; expiresAtMs: number }): Promise<number> {
    return this.#commits.write(() => this.#documents.increment(counter, by, time));
  }

  async sweep({ endedBeforeMs, nowMs }: { endedBeforeMs: number; nowMs: number }): Promise<number> {
    this.#open();
    // In steps, so that streams and runs get their turn in between.
    const sweepDocuments = () => this.#documents.sweep(nowMs, perSweepStep.documents);
    while (!this.#closed && (await this.#commits.write(sweepDocuments)) > 0);
    let removed = 0;
    while (!this.#closed) {
      const ids = await this.#commits.write(() => this.#runs.sweep(endedBeforeMs, perSweepStep));
      if (ids.length === 0) break;
      removed += ids.length;
    }
    return removed;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#commits.close();
    this.#closed = true;
    for (const { signal } of this.#changes.values()) signal.notify();
    this.#database.close();
    this.#lock.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @throws RunStoreError `STORE_UNAVAILABLE` when the database fails, as on a broken disk */
  #read<Result>(read: () => Result): Result {
    this.#open();
    try {
      return read();
    } catch (error) {
      throw isDatabaseError(error) ? storeFailed('read', error) : error;
    }
  }

  #open(): SqliteRuns {
    if (this.#closed) throw storeClosed();
    return this.#runs;
  }
}
